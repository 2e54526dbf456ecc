import { dirname } from 'node:path';
import { sameState } from '../../../contracts/review/change-set.ts';
import type { FileChange, FileState } from '../../../contracts/review/change-set.ts';
import type { MergeStepOf } from '../../../contracts/review/merge-plan.ts';
import type { StepOutcome } from '../../../contracts/ports/merge-target.ts';
import { ancestors } from '../../../lib/ancestors.ts';
import { errnoOf } from '../../fs/descriptors.ts';
import { readManifest, requireManifest } from './backup.ts';
import type { BackedUpPath } from './backup.ts';
import { makeDirectories, removeMadeDirectories, syncDirectories } from './made-directories.ts';
import type { MergeSite } from './merge-site.ts';
import { entryState, lstatAt, lstatEntry, stateAt, withEntry } from './project-entry.ts';
import type { Entry, FoundState } from './project-entry.ts';
import { restoreFile } from './restore-file.ts';

/**
 * Moves each placed file to its target, if the target is unchanged. The temporary file is the record: while it exists
 * the file is not published; once it is gone the file is published, and later changes by a person are theirs.
 */
export function publishFiles(site: MergeSite, operation: string, step: MergeStepOf<'publish'>): StepOutcome {
  const manifest = requireManifest(site, operation);
  makeDirectories(site, operation, [...step.directories, ...step.files.flatMap(({ path }) => ancestors(path))]);
  for (const change of step.files) {
    const backedUp = manifest.paths.find(({ path }) => path === change.path);
    if (backedUp === undefined) throw new Error(`${change.path} has no backup`);
    if (!publishFile(site, change, backedUp)) {
      return { kind: 'conflict', paths: [change.path], reason: 'it was changed during the merge' };
    }
  }
  syncDirectories(site, parents(step.files));
  return { kind: 'applied' };
}

/** Returns the paths that somebody changed after they were published; they stay unchanged. */
export function unpublishFiles(site: MergeSite, operation: string, step: MergeStepOf<'publish'>): string[] {
  const manifest = readManifest(site, operation);
  const left: string[] = [];
  for (const change of step.files.toReversed()) {
    const backedUp = manifest?.paths.find(({ path }) => path === change.path);
    if (backedUp !== undefined && !unpublishFile(site, operation, change, backedUp)) left.push(change.path);
  }
  // Must be done now: where a directory had replaced a file, the file comes back next.
  removeMadeDirectories(site, operation);
  syncDirectories(site, parents(step.files));
  return left;
}

function publishFile(site: MergeSite, change: FileChange, { temporary }: BackedUpPath): boolean {
  const placed = withEntry(site.root, temporary, (from) => {
    const inode = lstatEntry(from)?.ino;
    if (inode === undefined) return 'gone';
    const done = withEntry(site.root, change.path, (to) => {
      if (lstatEntry(to)?.ino === inode) {
        site.disk.unlink(from.path);
        return true;
      }
      return effectiveBefore(change).kind === 'absent' ? add(site, from, to) : replace(site, from, to, change);
    });
    return done === true ? 'published' : 'blocked';
  });
  return placed === 'published' || placed === 'gone';
}

/** A new file is hard-linked, which can never replace an existing one. */
function add(site: MergeSite, from: Entry, to: Entry): boolean {
  try {
    site.disk.link(from.path, to.path);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
  site.disk.unlink(from.path);
  return true;
}

/**
 * Exchanges the new file and the old one, and only then checks the old one finally: a change that somebody saved in the
 * last moment is found and put back.
 */
function replace(site: MergeSite, from: Entry, to: Entry, change: FileChange): boolean {
  const before = effectiveBefore(change);
  if (matches(entryState(from), change.after)) {
    if (!matches(entryState(to), before)) return false;
    if (!site.disk.exchange(from.path, to.path, site.exchangeNames)) {
      site.disk.rename(from.path, to.path);
      return true;
    }
  }
  if (matches(entryState(from), before)) {
    site.disk.unlink(from.path);
    return true;
  }
  site.disk.exchange(from.path, to.path, site.exchangeNames);
  return false;
}

function unpublishFile(site: MergeSite, operation: string, change: FileChange, backedUp: BackedUpPath): boolean {
  const before = effectiveBefore(change);
  const found = stateAt(site.root, change.path);
  if (matches(found, before) || matches(found, change.before)) return true;
  const restore = (): boolean =>
    restoreFile(site, operation, backedUp, before.kind === 'absent' ? 'remove' : 'replace');
  const placed = lstatAt(site.root, backedUp.temporary)?.ino;
  if (placed === undefined) return matches(found, change.after) && restore();
  // Two names of one file: it is published, except for the last step.
  if (placed === lstatAt(site.root, change.path)?.ino) return restore();
  const displaced = stateAt(site.root, backedUp.temporary);
  if (matches(displaced, change.after) || !matches(found, change.after)) return false;
  withEntry(site.root, backedUp.temporary, (from) =>
    withEntry(site.root, change.path, (to) => site.disk.rename(from.path, to.path)),
  );
  return matches(displaced, before);
}

/** A directory that is replaced by a file has been removed by then. */
function effectiveBefore({ before }: FileChange): FileState {
  return before.kind === 'directory' ? { kind: 'absent' } : before;
}

export function matches(found: FoundState, expected: FileState): boolean {
  return found.kind !== 'special' && sameState(found, expected);
}

export function parents(files: readonly FileChange[]): Set<string> {
  return new Set(files.map(({ path }) => dirname(path)));
}
