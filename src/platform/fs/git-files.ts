import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { gitFile } from '../../lib/git/git-directories.ts';
import { errnoOf } from './descriptors.ts';
import { readUnion } from './union/union-read.ts';
import type { UnionRoots } from './union/union-walk.ts';

/** With O_NONBLOCK, opening a FIFO does not wait for its writer. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Reads one of git's files by its name in the git directory (`index`, `info/exclude`), wherever that is; null if it is
 * missing, special or too large.
 */
export function readGitFile(roots: UnionRoots, name: string, maxBytes: number): Buffer | null {
  if (roots.linked !== undefined) return readPlainFile(gitFile(roots.linked, name), maxBytes);
  const read = readUnion(roots, `.git/${name}`, maxBytes, 'exact');
  return read.kind === 'file' ? read.bytes : null;
}

function readPlainFile(path: string, maxBytes: number): Buffer | null {
  let fd: number;
  try {
    fd = openSync(path, FLAGS);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'ENXIO'].includes(errnoOf(error))) return null;
    throw error;
  }
  try {
    const stat = fstatSync(fd);
    return stat.isFile() && stat.size <= maxBytes ? readFileSync(fd) : null;
  } finally {
    closeSync(fd);
  }
}
