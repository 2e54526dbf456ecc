import { chmodSync, mkdirSync, rmdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { assertNever } from '../../../lib/assert-never.ts';
import type { Descriptors } from '../descriptors.ts';
import { errnoOf, throughFd, withDescriptors, withDescriptorsAsync } from '../descriptors.ts';
import { hashPinnedFile, sha256Of } from '../file-content.ts';
import { removeTree } from '../remove-tree.ts';
import { pinParent } from '../staging/staging-steps.ts';
import { isWhiteout } from '../union/union-lookup.ts';
import { locate, readLink } from '../union/union-walk.ts';
import type { UnionRoots } from '../union/union-walk.ts';
import type { Plant } from './plant.ts';
import type { MakeWhiteout } from './whiteout.ts';

/** Entries that were placed in an upper directory, to be removed again. */
export interface Planted {
  readonly plants: readonly Plant[];
  /** Directories created where the union has none, outermost first. */
  readonly directories: readonly string[];
}

/** Places the entries in an empty upper directory that is not mounted. */
export function plantView(
  upper: number,
  plants: readonly Plant[],
  roots: UnionRoots,
  makeWhiteout: MakeWhiteout,
): Planted {
  const directories: string[] = [];
  for (const { path, entry } of plants) {
    withDescriptors((descriptors) => {
      const { parent, name } = makeParents(descriptors, upper, path, roots, directories);
      // An earlier entry may be at this path: a whiteout or a directory.
      removeTree(parent, name);
      const at = throughFd(parent, name);
      switch (entry.kind) {
        case 'whiteout':
          makeWhiteout(at);
          return;
        case 'file':
          writeFileSync(at, entry.bytes, { flag: 'wx' });
          chmodSync(at, entry.executable ? 0o755 : 0o644);
          return;
        case 'symlink':
          symlinkSync(entry.target, at);
          return;
        default:
          assertNever(entry);
      }
    });
  }
  return { plants, directories };
}

/**
 * Removes the placed entries that are unchanged. The upper directory must not be mounted any more. What remains is what
 * the sandbox changed, including placed paths that it wrote to.
 */
export async function unplantView(upper: number, { plants, directories }: Planted): Promise<void> {
  for (const { path, entry } of plants) {
    await withDescriptorsAsync(async (descriptors) => {
      const place = pinParent(descriptors, upper, path);
      if (place === null) return;
      if (await isAsPlanted(descriptors, place, entry)) unlinkSync(throughFd(place.parent, place.name));
    });
  }
  for (const path of directories.toReversed()) {
    withDescriptors((descriptors) => {
      const place = pinParent(descriptors, upper, path);
      if (place === null) return;
      try {
        rmdirSync(throughFd(place.parent, place.name));
      } catch (error) {
        if (!['ENOENT', 'ENOTDIR', 'ENOTEMPTY'].includes(errnoOf(error))) throw error;
      }
    });
  }
}

async function isAsPlanted(
  descriptors: Descriptors,
  { parent, name }: { readonly parent: number; readonly name: string },
  entry: Plant['entry'],
): Promise<boolean> {
  const found = descriptors.pin(parent, name);
  if (found.kind !== 'pinned') return false;
  const { fd, stat } = found.pinned;
  switch (entry.kind) {
    case 'whiteout':
      return isWhiteout(stat);
    case 'symlink':
      return stat.isSymbolicLink() && readLink(parent, name) === entry.target;
    case 'file': {
      if (!stat.isFile() || stat.size !== entry.bytes.length || (stat.mode & 0o400) === 0) return false;
      const state = await hashPinnedFile(descriptors, fd);
      return state.sha256 === sha256Of(entry.bytes) && state.executable === entry.executable;
    }
    default:
      return assertNever(entry);
  }
}

/**
 * The directories above a path, with the modes of the union: an overlay takes a directory's mode from the upper layer.
 */
function makeParents(
  descriptors: Descriptors,
  upper: number,
  path: string,
  roots: UnionRoots,
  made: string[],
): { readonly parent: number; readonly name: string } {
  const names = path.split('/');
  const name = names.pop() ?? '';
  let parent = upper;
  for (const [index, component] of names.entries()) {
    const found = descriptors.pin(parent, component);
    if (found.kind === 'pinned' && found.pinned.stat.isDirectory()) {
      parent = found.pinned.fd;
      continue;
    }
    if (found.kind === 'pinned') unlinkSync(throughFd(parent, component));
    const at = names.slice(0, index + 1).join('/');
    const inUnion = locate(descriptors, roots, at, 'exact');
    mkdirSync(throughFd(parent, component), { mode: 0o700 });
    if (inUnion.kind !== 'directory') made.push(at);
    const pinned = descriptors.pin(parent, component);
    if (pinned.kind !== 'pinned') throw new Error(`the directory ${at} of a view no longer exists`);
    const mode = inUnion.kind === 'directory' ? inUnion.stat.mode & 0o777 : 0o755;
    chmodSync(throughFd(pinned.pinned.fd), mode | 0o700);
    parent = pinned.pinned.fd;
  }
  return { parent, name };
}
