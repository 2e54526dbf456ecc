import { lstatSync, readdirSync } from 'node:fs';
import type { BigIntStats, Dirent } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../contracts/ports/clock.ts';
import type { FileFilter } from '../../../contracts/ports/workspace.ts';
import { errnoOf, throughFd } from '../descriptors.ts';

export type ClosedFilesOutcome =
  /** `repositories` are the directories named `.git` below the project's own: of clones inside it. */
  | { readonly kind: 'found'; readonly paths: readonly string[]; readonly repositories: readonly string[] }
  /** More than can be looked through, so that nobody can say what is among it. */
  | { readonly kind: 'too-many'; readonly reason: string };

export interface ClosedFiles {
  /** Regular files of the project that the filter does not allow, ignored ones included. Links are not followed. */
  find(project: number, filter: FileFilter): Promise<ClosedFilesOutcome>;
}

export interface ClosedFilesBounds {
  readonly maxDirectories: number;
  readonly maxPaths: number;
}

interface Listing {
  readonly stamp: string;
  readonly closed: readonly string[];
  readonly directories: readonly string[];
  readonly repositories: readonly string[];
}

const DEFAULT_BOUNDS: ClosedFilesBounds = { maxDirectories: 400_000, maxPaths: 20_000 };
const DIRECTORIES_PER_TURN = 500;
/** A policy asks the same in most states; older answers are made again. */
const FILTERS_KEPT = 4;
/** Times of a directory tick in steps: one that changed this lately could change again without showing it. */
const SETTLED_AFTER_MS = 100;

/**
 * Looks for closed files in all of the project: what policy closes is mostly what git ignores, and packages bring keys of their own. A directory
 * whose times have not moved has the names it had, so after the first walk each costs one `lstat`. git's own directory is passed over, and so is
 * what is mounted inside the project: an overlay does not show it.
 */
export function createClosedFiles(clock: Clock, bounds: ClosedFilesBounds = DEFAULT_BOUNDS): ClosedFiles {
  const remembered = new Map<string, ReadonlyMap<string, Listing>>();

  return {
    async find(project, filter) {
      const known = remembered.get(filter.key);
      const now = new Map<string, Listing>();
      const paths: string[] = [];
      const repositories: string[] = [];
      const pending = [''];
      let device: bigint | null = null;
      let looked = 0;
      for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
        looked += 1;
        if (looked > bounds.maxDirectories)
          return { kind: 'too-many', reason: `the project has more than ${bounds.maxDirectories} directories` };
        if (looked % DIRECTORIES_PER_TURN === 0) await setImmediate();
        const stat = statOf(project, directory);
        if (stat === null || !stat.isDirectory()) continue;
        device ??= stat.dev;
        if (stat.dev !== device) continue;
        const stamp = `${stat.ino} ${stat.mtimeNs} ${stat.ctimeNs}`;
        const before = known?.get(directory);
        const listing = before?.stamp === stamp ? before : list(project, directory, stamp, filter);
        if (isSettled(stat, clock)) now.set(directory, listing);
        for (const path of listing.closed) paths.push(path);
        for (const path of listing.directories) pending.push(path);
        for (const path of listing.repositories) repositories.push(path);
        if (paths.length > bounds.maxPaths)
          return { kind: 'too-many', reason: `policy closes more than ${bounds.maxPaths} files of the project` };
      }
      remembered.delete(filter.key);
      remembered.set(filter.key, now);
      for (const key of remembered.keys()) if (remembered.size > FILTERS_KEPT) remembered.delete(key);
      return { kind: 'found', paths: paths.sort(), repositories: repositories.sort() };
    },
  };
}

function list(project: number, directory: string, stamp: string, filter: FileFilter): Listing {
  const closed: string[] = [];
  const directories: string[] = [];
  const repositories: string[] = [];
  for (const entry of entriesOf(project, directory)) {
    const path = directory === '' ? entry.name : `${directory}/${entry.name}`;
    if (entry.name === '.git') {
      if (directory !== '' && entry.isDirectory()) repositories.push(path);
      continue;
    }
    if (entry.isDirectory()) directories.push(path);
    else if (entry.isFile() && !filter.allows(path)) closed.push(path);
  }
  return { stamp, closed, directories, repositories };
}

function isSettled(stat: BigIntStats, clock: Clock): boolean {
  const changedMs = stat.mtimeMs > stat.ctimeMs ? stat.mtimeMs : stat.ctimeMs;
  return clock.nowMs() - Number(changedMs) > SETTLED_AFTER_MS;
}

function statOf(project: number, path: string): BigIntStats | null {
  try {
    return lstatSync(path === '' ? `${throughFd(project)}/.` : throughFd(project, path), { bigint: true });
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/** What this process may not list, a sandbox of the same user may not either. */
function entriesOf(project: number, directory: string): Dirent[] {
  try {
    return readdirSync(throughFd(project, directory), { withFileTypes: true });
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EACCES'].includes(errnoOf(error));
}
