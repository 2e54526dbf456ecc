import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StepOutcome } from '../../../contracts/ports/merge-target.ts';
import { errnoOf } from '../../fs/descriptors.ts';
import { makeDirectories, removeIfEmpty, removeMadeDirectories } from './made-directories.ts';
import { atNewPlace, atPlace, below, isDirectoryAt, placeOf, scratchFor, scratchPlaces } from './merge-place.ts';
import type { MergePlace } from './merge-place.ts';
import type { MergeSite } from './merge-site.ts';
import { lstatEntry } from './project-entry.ts';

const IDENTITY = 'lock';

/** Git's lock files for the index, HEAD and these refs. Only the holder may change the locked files. */
function lockPaths(refs: readonly string[]): string[] {
  return ['index', 'HEAD', ...refs].map((name) => `.git/${name}.lock`);
}

/**
 * Takes the locks. Each is a hard link to one file of this operation, so it appears complete or not at all, and after a
 * crash it shows its owner: git's own locks, and those of another operation, are never mistaken for ours.
 */
export function takeLocks(site: MergeSite, operation: string, refs: readonly string[]): StepOutcome {
  for (const scratch of scratchPlaces(site, operation)) makeScratch(site, operation, scratch);
  makeDirectories(
    site,
    operation,
    refs.map((ref) => dirname(`.git/${ref}`)),
  );
  for (const path of lockPaths(refs)) {
    const identity = identityFor(site, operation, path);
    const taken = atNewPlace(placeOf(site, path), (entry) => {
      try {
        site.disk.link(identity, entry.path);
        return true;
      } catch (error) {
        if (errnoOf(error) !== 'EEXIST') throw error;
        return isOurs(lstatEntry(entry)?.ino, identity);
      }
    });
    if (!taken) {
      return {
        kind: 'conflict',
        paths: [path],
        reason: 'another git process is at work in the repository, or one died and left its lock behind',
      };
    }
  }
  return { kind: 'applied' };
}

/** Releases this operation's locks, and removes all its temporary files in `.git`. */
export function releaseLocks(site: MergeSite, operation: string, refs: readonly string[]): void {
  const places = scratchPlaces(site, operation).filter(isDirectoryAt);
  if (places.length === 0) return;
  for (const path of lockPaths(refs)) {
    const identity = identityFor(site, operation, path);
    atPlace(placeOf(site, path), (entry) => {
      if (isOurs(lstatEntry(entry)?.ino, identity)) site.disk.unlink(entry.path);
    });
  }
  for (const scratch of places) removeScratch(site, scratch);
}

export function revertLocks(site: MergeSite, operation: string, refs: readonly string[]): void {
  releaseLocks(site, operation, refs);
  removeMadeDirectories(site, operation);
}

/** The file that our locks are hard links to. */
function identityFor(site: MergeSite, operation: string, path: string): string {
  const { root, path: scratch } = scratchFor(site, operation, path);
  return join(root, scratch, IDENTITY);
}

function makeScratch(site: MergeSite, operation: string, scratch: MergePlace): void {
  if (!isDirectoryAt(scratch)) {
    atNewPlace(scratch, (entry) => site.disk.makeDirectory(entry.path, { mode: 0o700, owner: site.owner }));
  }
  atNewPlace(below(scratch, IDENTITY), (entry) => {
    if (lstatEntry(entry) !== null) return;
    const content = Buffer.from(`${operation}\n`);
    site.disk.createFile(entry.path, content, { mode: 0o600, owner: site.owner });
  });
}

/** The identity file is removed last: while it exists, a restart knows which locks to release. */
function removeScratch(site: MergeSite, scratch: MergePlace): void {
  for (const name of [...SCRATCH_FILES, IDENTITY]) {
    atPlace(below(scratch, name), (entry) => {
      if (lstatEntry(entry) !== null) site.disk.unlink(entry.path);
    });
  }
  removeIfEmpty(site, scratch);
}

/** Names of the files that steps write before they rename them to their final names. */
export const SCRATCH_FILES = ['index', 'ref', 'message'] as const;

function isOurs(inode: bigint | undefined, identity: string): boolean {
  return inode !== undefined && inode === lstatSync(identity, { bigint: true, throwIfNoEntry: false })?.ino;
}
