import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { StepOutcome } from '../../../contracts/ports/merge-target.ts';
import { errnoOf } from '../../fs/descriptors.ts';
import { isDirectory, makeDirectories, removeIfEmpty, removeMadeDirectories } from './made-directories.ts';
import { scratchName } from './merge-site.ts';
import type { MergeSite } from './merge-site.ts';
import { lstatEntry, withEntry, withNewEntry } from './project-entry.ts';

const IDENTITY = 'lock';

/** Git's lock files for the index, HEAD and these refs: whoever holds them is the only one to change what they stand for. */
function lockPaths(refs: readonly string[]): string[] {
  return ['index', 'HEAD', ...refs].map((name) => `.git/${name}.lock`);
}

/**
 * Takes the locks. Each is a hard link to one file of this operation, so it appears whole or not at all, and after a crash it
 * shows whose it is: git's own locks, and those of another operation, are never taken for ours.
 */
export function takeLocks(site: MergeSite, operation: string, refs: readonly string[]): StepOutcome {
  makeScratch(site, operation);
  makeDirectories(
    site,
    operation,
    refs.map((ref) => dirname(`.git/${ref}`)),
  );
  const identity = join(site.root, '.git', scratchName(operation), IDENTITY);
  for (const path of lockPaths(refs)) {
    const taken = withNewEntry(site.root, path, (entry) => {
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

/** Gives back the locks that are this operation's, and removes everything temporary it had in `.git`. */
export function releaseLocks(site: MergeSite, operation: string, refs: readonly string[]): void {
  const scratch = `.git/${scratchName(operation)}`;
  if (!isDirectory(site, scratch)) return;
  const identity = join(site.root, scratch, IDENTITY);
  for (const path of lockPaths(refs)) {
    withEntry(site.root, path, (entry) => {
      if (isOurs(lstatEntry(entry)?.ino, identity)) site.disk.unlink(entry.path);
    });
  }
  removeScratch(site, operation);
}

export function revertLocks(site: MergeSite, operation: string, refs: readonly string[]): void {
  releaseLocks(site, operation, refs);
  removeMadeDirectories(site, operation);
}

function makeScratch(site: MergeSite, operation: string): void {
  const scratch = `.git/${scratchName(operation)}`;
  if (!isDirectory(site, scratch)) {
    withNewEntry(site.root, scratch, (entry) =>
      site.disk.makeDirectory(entry.path, { mode: 0o700, owner: site.owner }),
    );
  }
  withNewEntry(site.root, `${scratch}/${IDENTITY}`, (entry) => {
    if (lstatEntry(entry) !== null) return;
    const content = Buffer.from(`${operation}\n`);
    site.disk.createFile(entry.path, content, { mode: 0o600, owner: site.owner });
  });
}

/** The identity goes last: while it is there, a restart knows which locks to give back. */
function removeScratch(site: MergeSite, operation: string): void {
  const scratch = `.git/${scratchName(operation)}`;
  for (const name of [...SCRATCH_FILES, IDENTITY]) {
    withEntry(site.root, `${scratch}/${name}`, (entry) => {
      if (lstatEntry(entry) !== null) site.disk.unlink(entry.path);
    });
  }
  removeIfEmpty(site, scratch);
}

/** Names of the files that steps write before they rename them into place. */
export const SCRATCH_FILES = ['index', 'ref', 'message'] as const;

function isOurs(inode: bigint | undefined, identity: string): boolean {
  return inode !== undefined && inode === lstatSync(identity, { bigint: true, throwIfNoEntry: false })?.ino;
}
