import { closeSync, existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import type { KeepLayerOutcome } from '../../../contracts/ports/sandboxes.ts';
import type { ViewEntry } from '../../../contracts/ports/workspace.ts';
import type { Random } from '../../../contracts/ports/random.ts';
import {
  LAYER_PARTS,
  PACKAGE_MANAGERS,
  PACKAGE_MANAGER_NAMES,
  layerIdSchema,
} from '../../../contracts/sandbox/package-managers.ts';
import type { LayerId, PackageManagerName } from '../../../contracts/sandbox/package-managers.ts';
import { layerIdOf } from '../../../lib/packages/layer-id.ts';
import { errnoOf, pinRoot, throughFd } from '../descriptors.ts';
import { removeTree } from '../remove-tree.ts';
import { scanScratch } from '../scratch/scan-scratch.ts';
import type { ScratchDirectory, ScratchLimits } from '../scratch/scan-scratch.ts';
import { readUnion } from '../union/union-read.ts';
import type { UnionRoots } from '../union/union-walk.ts';
import { loadWhiteouts } from '../view/whiteout.ts';
import { loadOpaqueMarks } from '../xattr.ts';
import type { OpaqueMarks } from '../xattr.ts';

export interface LayerStore {
  /** Layers of the lockfiles that a workspace has now, or that take their place in a view. */
  find(roots: UnionRoots, overrides?: readonly ViewEntry[]): readonly LayerId[];
  /** Takes what a package manager has installed below `tree`, which nobody has mounted any more, if it may be shown to other sandboxes. */
  keep(tree: string, manager: PackageManagerName, id: LayerId): Promise<KeepLayerOutcome>;
}

const MIB = 1024 * 1024;
const MAX_LOCKFILE_BYTES = 32 * MIB;
export const LAYER_LIMITS: ScratchLimits = {
  maxEntries: 200_000,
  maxBytes: 2048 * MIB,
  maxFileBytes: 256 * MIB,
  maxDepth: 100,
};
/** Layers that are kept when the kernel starts: those used last. */
const KEPT = 10;
/** Begins the names of those that are being made, and of those that another took the place of. */
const MAKING = 'making';
const WHITEOUT = 'whiteout';
const [PACKAGES, HIDING] = LAYER_PARTS;

/**
 * Installed packages by the lockfile that they belong to, under the state directory: `layers/<id>/packages/<directory>`, and below it in an overlay
 * `layers/<id>/hiding`, where a whiteout of the same name hides the user's own. (The kernel may make whiteouts, but no opaque marks.) A layer is replaced
 * whole, never changed. Nothing may be mounted when a store is opened: what is old is removed.
 */
export async function openLayerStore(options: {
  readonly stateDir: string;
  readonly random: Random;
  readonly limits?: ScratchLimits;
}): Promise<LayerStore> {
  const { stateDir, random, limits = LAYER_LIMITS } = options;
  const marks = await loadOpaqueMarks();
  const whiteouts = await loadWhiteouts();
  const root = `${stateDir}/layers`;
  mkdirSync(root, { recursive: true, mode: 0o700 });
  removeOld(root);
  return {
    find: (roots, overrides = []) =>
      PACKAGE_MANAGER_NAMES.flatMap((manager) => {
        const lockfile = readShown(roots, overrides, PACKAGE_MANAGERS[manager].lockfile);
        if (lockfile === null) return [];
        const id = layerIdOf(manager, lockfile);
        return existsSync(`${root}/${id}`) ? [id] : [];
      }),
    keep: async (tree, manager, id) => {
      const making = random.id(MAKING);
      const { directory, programs } = PACKAGE_MANAGERS[manager];
      for (const part of ['', ...LAYER_PARTS]) mkdirSync(`${root}/${making}/${part}`, { mode: 0o700 });
      const why = await take(tree, `${root}/${making}/${PACKAGES}`, directory, { marks, limits, programs });
      if (why !== null) {
        removeFrom(root, making);
        return { kind: 'refused', reason: why };
      }
      whiteouts(`${root}/${WHITEOUT}`)(`${root}/${making}/${HIDING}/${directory}`);
      // What was installed before may still be mounted: it stays until the store is opened again.
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

interface TakeOptions {
  readonly marks: OpaqueMarks;
  readonly limits: ScratchLimits;
  readonly programs: readonly string[];
}

/** Moves the directory and examines it where nobody writes to it any more. Why it may not be kept, or null. */
async function take(
  tree: string,
  to: string,
  directory: string,
  { marks, limits, programs }: TakeOptions,
): Promise<string | null> {
  const from = pinRoot(tree);
  const made = pinRoot(to);
  try {
    moveInto(from, made, directory);
    const scanned = await scanScratch(made, marks, limits);
    if (scanned.kind === 'refused') return scanned.reason;
    if (scanned.root.children.get(directory)?.kind !== 'directory') return `${directory} is no directory`;
    return firstUnfit(scanned.root, '', programs);
  } finally {
    closeSync(from);
    closeSync(made);
  }
}

function moveInto(from: number, made: number, directory: string): void {
  try {
    renameSync(throughFd(from, directory), throughFd(made, directory));
  } catch (error) {
    // No package at all: a package manager makes no directory then.
    if (errnoOf(error) !== 'ENOENT') throw error;
    mkdirSync(throughFd(made, directory), { mode: 0o755 });
  }
}

/** Links may lead from package to package, as those of programs do, to programs of the image, and nowhere else. */
function firstUnfit(directory: ScratchDirectory, path: string, programs: readonly string[]): string | null {
  for (const [name, node] of directory.children) {
    const at = path === '' ? name : `${path}/${name}`;
    switch (node.kind) {
      case 'file':
        break;
      case 'unfit':
        return node.reason;
      case 'whiteout':
        return `${JSON.stringify(at)} is a device`;
      case 'symlink':
        if (!programs.includes(node.state.target) && leavesLayer(at, node.state.target))
          return `${JSON.stringify(at)} is a link that leads out of the installed packages`;
        break;
      case 'directory': {
        const why = firstUnfit(node, at, programs);
        if (why !== null) return why;
      }
    }
  }
  return null;
}

/** By its text alone: `..` may climb as far as the directory of packages, and only at the front. */
function leavesLayer(path: string, target: string): boolean {
  if (target === '' || target.startsWith('/')) return true;
  const names = target.split('/').filter((name) => name !== '' && name !== '.');
  const climbs = names.findIndex((name) => name !== '..');
  const up = climbs === -1 ? names.length : climbs;
  return names.slice(up).includes('..') || up > path.split('/').length - 2;
}

function removeOld(root: string): void {
  const names = readdirSync(root);
  const old = names
    .filter((name) => layerIdSchema.safeParse(name).success)
    .map((name) => ({ name, usedMs: statSync(`${root}/${name}`).mtimeMs }))
    .sort((a, b) => b.usedMs - a.usedMs)
    .slice(KEPT);
  const left = names.filter((name) => name.startsWith(MAKING));
  for (const name of [...left, ...old.map(({ name }) => name)]) removeFrom(root, name);
}

function removeFrom(root: string, name: string): void {
  const parent = pinRoot(root);
  removeTree(parent, name);
  closeSync(parent);
}
