import { basename, dirname } from 'node:path';
import { gitDirectoryOf, isLinked } from '../../../lib/git/git-directories.ts';
import type { MergeSite } from './merge-site.ts';
import { lstatEntry, PathBlocked, withEntry, withNewEntry } from './project-entry.ts';
import type { Entry } from './project-entry.ts';

/** A file or directory that a merge works on: `path` is walked from `root` without following a link. */
export interface MergePlace {
  readonly root: string;
  readonly path: string;
}

/**
 * Where a path of the project is. `.git/NAME` names one of git's files, wherever git keeps it: a linked worktree has
 * its own files in one directory and shared files in another.
 */
export function placeOf({ root, git }: MergeSite, path: string): MergePlace {
  if (!isLinked(git)) return { root, path };
  if (path === '.git') return { root: dirname(git.gitDir), path: basename(git.gitDir) };
  if (!path.startsWith('.git/')) return { root, path };
  const name = path.slice('.git/'.length);
  return { root: gitDirectoryOf(git, name), path: name };
}

/**
 * The operation's directory for temporary files that will replace `path`: on the same file system, and in the same
 * mount.
 */
export function scratchFor(site: MergeSite, operation: string, path: string): MergePlace {
  const { root } = placeOf(site, path);
  return { root, path: isLinked(site.git) ? scratchName(operation) : `.git/${scratchName(operation)}` };
}

/** All these directories: one in an ordinary repository, two in a linked worktree. */
export function scratchPlaces(site: MergeSite, operation: string): MergePlace[] {
  const places = ['.git/index', '.git/refs'].map((path) => scratchFor(site, operation, path));
  return isLinked(site.git) ? places : places.slice(0, 1);
}

export function below({ root, path }: MergePlace, name: string): MergePlace {
  return { root, path: `${path}/${name}` };
}

export function atPlace<T>({ root, path }: MergePlace, use: (entry: Entry) => T): T | null {
  return withEntry(root, path, use);
}

export function atNewPlace<T>({ root, path }: MergePlace, use: (entry: Entry) => T): T {
  return withNewEntry(root, path, use);
}

/** Whether there is a real directory, reached through real directories. */
export function isDirectoryAt(place: MergePlace): boolean {
  try {
    return atPlace(place, lstatEntry)?.isDirectory() === true;
  } catch (error) {
    if (error instanceof PathBlocked) return false;
    throw error;
  }
}

/**
 * Temporary files of an operation inside `.git` are all in directories of its own, with unguessable names, and are
 * removed afterwards.
 */
function scratchName(operation: string): string {
  return `fluffy-${operation}`;
}
