import { dirname } from 'node:path';
import { ancestors } from '../../../lib/ancestors.ts';
import { errnoOf } from '../../fs/descriptors.ts';
import { newDirectoryMode } from './merge-site.ts';
import type { MergeSite } from './merge-site.ts';
import { atNewPlace, atPlace, isDirectoryAt, placeOf } from './merge-place.ts';
import type { MergePlace } from './merge-place.ts';
import { addNote, readNote } from './operation-notes.ts';
import { lstatEntry, PathBlocked } from './project-entry.ts';

const NOTE = 'made-directories';

/**
 * Creates the missing ones of these directories (project-relative) and their parents, after noting them. Throws
 * PathBlocked if something else is at the path of one.
 */
export function makeDirectories(site: MergeSite, operation: string, directories: readonly string[]): void {
  const wanted = new Set(directories.flatMap((directory) => [...ancestors(directory), directory]));
  const missing = [...wanted].sort(byDepth).filter((directory) => !isDirectory(site, directory));
  addNote(site, operation, NOTE, missing);
  const touched = new Set<string>();
  for (const directory of missing) {
    atNewPlace(placeOf(site, directory), (entry) => {
      if (lstatEntry(entry) !== null) throw new PathBlocked(directory);
      site.disk.makeDirectory(entry.path, { mode: newDirectoryMode(site), owner: site.owner });
    });
    touched.add(dirname(directory));
  }
  syncDirectories(site, touched);
}

/** Removes the directories that the operation created, if they are empty. */
export function removeMadeDirectories(site: MergeSite, operation: string): void {
  for (const directory of readNote(site, operation, NOTE).reverse()) removeIfEmpty(site, placeOf(site, directory));
}

/** Returns whether the directory is gone afterwards. */
export function removeIfEmpty(site: MergeSite, directory: MergePlace): boolean {
  try {
    atPlace(directory, (entry) => site.disk.removeDirectory(entry.path));
    return true;
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT') return true;
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR' || error instanceof PathBlocked) return false;
    throw error;
  }
}

/** Syncs the entries of these directories (project-relative, '.' is the project) to disk. */
export function syncDirectories(site: MergeSite, directories: Iterable<string>): void {
  for (const directory of directories) {
    if (directory === '.') site.disk.syncDirectory(site.root);
    else if (isDirectory(site, directory))
      atPlace(placeOf(site, directory), (entry) => site.disk.syncDirectory(entry.path));
  }
}

/** Whether there is a real directory, reached through real directories. */
export function isDirectory(site: MergeSite, path: string): boolean {
  return isDirectoryAt(placeOf(site, path));
}

function byDepth(a: string, b: string): number {
  return a.split('/').length - b.split('/').length;
}
