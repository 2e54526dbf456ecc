import { readdirSync } from 'node:fs';
import { isAscii } from '../../lib/text/is-ascii.ts';
import { errnoOf, throughFdBytes } from './descriptors.ts';

/** A name or path whose characters are the bytes in the file system, which may not be valid UTF-8. */
export type ByteName = string;

export interface ByteEntry {
  readonly name: ByteName;
  readonly kind: 'directory' | 'file' | 'other';
}

export function bytesOf(name: ByteName): Buffer {
  return Buffer.from(name, 'latin1');
}

/** The name as people and patterns see it; bytes that are not UTF-8 become U+FFFD. */
export function textOf(name: ByteName): string {
  return isAscii(name) ? name : bytesOf(name).toString('utf8');
}

/** A path below the directory that `fd` holds; '' for the directory itself. */
export function throughFdName(fd: number, path: ByteName): Buffer {
  return throughFdBytes(fd, bytesOf(path === '' ? '.' : path));
}

/**
 * Entries in the order of their bytes. Links are not followed. Empty if the directory does not exist or this process
 * may not list it.
 */
export function listBytes(fd: number, directory: ByteName): readonly ByteEntry[] {
  try {
    return readdirSync(throughFdName(fd, directory), { encoding: 'latin1', withFileTypes: true })
      .map((entry) => ({
        name: entry.name,
        kind: entry.isDirectory() ? ('directory' as const) : entry.isFile() ? ('file' as const) : ('other' as const),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

/** True also for entries deeper than a path can reach. */
export function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EACCES', 'ENAMETOOLONG', 'ELOOP'].includes(errnoOf(error));
}
