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
 * Makes the missing ones of these directories (project-relative), parents included, after noting them.
 * Throws PathBlocked where something else is in the place of one.
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

/** Takes back the directories that the operation made, as far as they are empty. */
export function removeMadeDirectories(site: MergeSite, operation: string): void {
  for (const directory of readNote(site, operation, NOTE).reverse()) removeIfEmpty(site, placeOf(site, directory));
}

/** Whether the directory is gone afterwards. */
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

/** Brings the entries of these directories (project-relative, '.' the project) to the disk. */
export function syncDirectories(site: MergeSite, directories: Iterable<string>): void {
  for (const directory of directories) {
    if (directory === '.') site.disk.syncDirectory(site.root);
    else if (isDirectory(site, directory))
      atPlace(placeOf(site, directory), (entry) => site.disk.syncDirectory(entry.path));
  }
}

/** Whether a real directory is there, reached through real directories. */
export function isDirectory(site: MergeSite, path: string): boolean {
  return isDirectoryAt(placeOf(site, path));
}

function byDepth(a: string, b: string): number {
  return a.split('/').length - b.split('/').length;
}
