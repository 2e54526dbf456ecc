import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { KeepLayerOutcome, PackageLayer } from '../../../contracts/ports/sandboxes.ts';
import type { ViewEntry } from '../../../contracts/ports/workspace.ts';
import type { Random } from '../../../contracts/ports/random.ts';
import {
  LAYER_PARTS,
  PACKAGE_MANAGERS,
  PACKAGE_MANAGER_NAMES,
  layerIdSchema,
} from '../../../contracts/sandbox/package-managers.ts';
import type { LayerId } from '../../../contracts/sandbox/package-managers.ts';
import { layerIdOf } from '../../../lib/packages/layer-id.ts';
import type { ScratchLimits } from '../scratch/scan-scratch.ts';
import { readUnion } from '../union/union-read.ts';
import type { UnionRoots } from '../union/union-walk.ts';
import { loadWhiteouts } from '../view/whiteout.ts';
import { loadOpaqueMarks } from '../xattr.ts';
import { makeDirectory } from '../make-directory.ts';
import { removeHostileTree } from '../../sandbox-dirs/remove-hostile-tree.ts';
import { takePackages } from './take-packages.ts';

export interface LayerStore {
  /** Layers of the lockfiles that a workspace has now, or that replace them in a view. */
  find(roots: UnionRoots, overrides?: readonly ViewEntry[]): readonly LayerId[];
  /**
   * Stores what a package manager has installed below `tree` if other sandboxes may see it. `tree` must not be mounted
   * any more.
   */
  keep(tree: string, layer: PackageLayer): Promise<KeepLayerOutcome>;
}

const MIB = 1024 * 1024;
const MAX_LOCKFILE_BYTES = 32 * MIB;
export const LAYER_LIMITS: ScratchLimits = {
  maxEntries: 200_000,
  maxBytes: 2048 * MIB,
  maxFileBytes: 256 * MIB,
  maxDepth: 100,
};
/** Number of layers that are kept when the kernel starts: the most recently used. */
const KEPT = 10;
/** Prefix of the names of layers that are being created or were replaced. */
const MAKING = 'making';
const WHITEOUT = 'whiteout';
const [PACKAGES, HIDING] = LAYER_PARTS;

/**
 * Installed packages by the lockfile that they belong to, under the state directory:
 * `layers/<id>/packages/<directory>`. In an overlay, `layers/<id>/hiding` is mounted above the project: a whiteout of
 * the same name in it hides the user's own packages. Members of a workspace have both in their own directories. (The
 * kernel may create whiteouts, but no opaque marks.) A layer is replaced as a whole, never changed. Nothing may be
 * mounted when a store is opened, because old layers are removed. That goes on while the store is used: a layer can have
 * 100,000 files.
 */
export async function openLayerStore(options: {
  readonly stateDir: string;
  readonly random: Random;
  /** The Python for which packages are installed; null: the image's. */
  readonly python?: string | null;
  readonly limits?: ScratchLimits;
}): Promise<LayerStore> {
  const { stateDir, random, python = null, limits = LAYER_LIMITS } = options;
  const marks = await loadOpaqueMarks();
  const whiteouts = await loadWhiteouts();
  const root = `${stateDir}/layers`;
  makeDirectory(root);
  void removeAll(root, setAside(root, random));
  return {
    find: (roots, overrides = []) =>
      PACKAGE_MANAGER_NAMES.flatMap((manager) => {
        const lockfile = readShown(roots, overrides, PACKAGE_MANAGERS[manager].lockfile);
        if (lockfile === null) return [];
        const id = layerIdOf(manager, lockfile, python);
        return existsSync(`${root}/${id}`) ? [id] : [];
      }),
    keep: async (tree, { id, manager, members }) => {
      const making = random.id(MAKING);
      const { directory, image, programs } = PACKAGE_MANAGERS[manager];
      for (const part of ['', ...LAYER_PARTS]) mkdirSync(`${root}/${making}/${part}`, { mode: 0o700 });
      const places = {
        directories: [directory, ...members.map((member) => `${member}/${directory}`)],
        members,
        programs: image === 'python' && python !== null ? [...programs, python] : programs,
      };
      const why = await takePackages(tree, `${root}/${making}/${PACKAGES}`, places, { marks, limits });
      if (why !== null) {
        await removeHostileTree(`${root}/${making}`);
        return { kind: 'refused', reason: why };
      }
      const hide = whiteouts(`${root}/${WHITEOUT}`);
      for (const each of places.directories) {
        const hidden = `${root}/${making}/${HIDING}/${each}`;
        makeDirectory(dirname(hidden), 0o755);
        hide(hidden);
      }
      // The earlier layer may still be mounted. It stays until the store is opened again.
      if (existsSync(`${root}/${id}`)) renameSync(`${root}/${id}`, `${root}/${random.id(MAKING)}`);
      renameSync(`${root}/${making}`, `${root}/${id}`);
      return { kind: 'kept' };
    },
  };
}

function readShown(roots: UnionRoots, overrides: readonly ViewEntry[], path: string): Buffer | null {
  const override = overrides.find((each) => each.path === path);
  if (override !== undefined) return override.entry.kind === 'file' ? override.entry.bytes : null;
  const read = readUnion(roots, path, MAX_LOCKFILE_BYTES);
  return read.kind === 'file' ? read.bytes : null;
}

/** Renames old layers before anybody can find them. Returns the names of all directories to remove. */
function setAside(root: string, random: Random): readonly string[] {
  const names = readdirSync(root);
  const old = names
    .filter((name) => layerIdSchema.safeParse(name).success)
    .map((name) => ({ name, usedMs: statSync(`${root}/${name}`).mtimeMs }))
    .sort((a, b) => b.usedMs - a.usedMs)
    .slice(KEPT)
    .map(({ name }) => {
      const gone = random.id(MAKING);
      renameSync(`${root}/${name}`, `${root}/${gone}`);
      return gone;
    });
  return [...names.filter((each) => each.startsWith(MAKING)), ...old];
}

/** What cannot be removed now is removed at the next start. */
async function removeAll(root: string, names: readonly string[]): Promise<void> {
  for (const name of names) await removeHostileTree(`${root}/${name}`).catch(() => undefined);
}
