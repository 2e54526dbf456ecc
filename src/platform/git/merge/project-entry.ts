import { closeSync, constants, lstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import type { BigIntStats } from 'node:fs';
import { createHash } from 'node:crypto';
import type { FileState } from '../../../contracts/review/change-set.ts';
import type { Sha256 } from '../../../contracts/ids.ts';
import { lastText } from '../../../lib/text/first-last.ts';
import { errnoOf, throughFd } from '../../fs/descriptors.ts';

/** Linux: refers to a directory without reading it. */
const O_PATH = 0o10000000;
const WALK_FLAGS = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const CHUNK_BYTES = 256 * 1024;
/** Parts that a normalised path does not have. */
const NO_NAMES = new Set(['', '.', '..']);

/**
 * One name in a directory that is held by a descriptor. Both strings are paths for system calls, valid until the walk
 * ends.
 */
export interface Entry {
  readonly path: string;
  readonly directory: string;
}

/** A directory on the way is now a file or a link: the caller must treat the path as changed by another program. */
export class PathBlocked extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`${path}: a link or a file is where a directory should be`);
    this.path = path;
  }
}

/**
 * Walks from `root` to the parent of `path` (normalised, relative), opening each directory from its parent's descriptor
 * without following a link, and runs `use` on the entry. Returns null if a directory on the way is missing. Throws
 * PathBlocked for a link or a file on the way.
 */
export function withEntry<T>(root: string, path: string, use: (entry: Entry) => T): T | null {
  const names = path.split('/');
  if (names.some((name) => NO_NAMES.has(name))) throw new Error(`not a normalised path: ${JSON.stringify(path)}`);
  const components = names.slice(0, -1);
  const name = lastText(names);
  let fd = openSync(root, WALK_FLAGS);
  try {
    for (const component of components) {
      const next = openDirectory(fd, component, path);
      if (next === null) return null;
      closeSync(fd);
      fd = next;
    }
    return use({ path: throughFd(fd, name), directory: throughFd(fd) });
  } finally {
    closeSync(fd);
  }
}

/** Like `withEntry`, for creating the entry: a missing directory counts as blocked. */
export function withNewEntry<T>(root: string, path: string, use: (entry: Entry) => T): T {
  const result = withEntry(root, path, (entry) => ({ value: use(entry) }));
  if (result === null) throw new PathBlocked(path);
  return result.value;
}

function openDirectory(parent: number, name: string, path: string): number | null {
  try {
    return openSync(throughFd(parent, name), WALK_FLAGS);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'ENOENT') return null;
    if (code === 'ENOTDIR' || code === 'ELOOP') throw new PathBlocked(path);
    throw error;
  }
}

/** The lstat of the entry, or null. */
export function lstatEntry(entry: Entry): BigIntStats | null {
  return lstatSync(entry.path, { bigint: true, throwIfNoEntry: false }) ?? null;
}

/** The lstat of a path; null if there is nothing, or no way there through real directories. */
export function lstatAt(root: string, path: string): BigIntStats | null {
  try {
    return withEntry(root, path, lstatEntry);
  } catch (error) {
    if (error instanceof PathBlocked) return null;
    throw error;
  }
}

export type FoundState = FileState | { readonly kind: 'special' };

/**
 * State of a path in the project, by content; `special` is an entry that no change set can contain. A blocked path
 * counts as absent.
 */
export function stateAt(root: string, path: string): FoundState {
  try {
    return withEntry(root, path, entryState) ?? { kind: 'absent' };
  } catch (error) {
    if (error instanceof PathBlocked) return { kind: 'absent' };
    throw error;
  }
}

export function entryState(entry: Entry): FoundState {
  const stat = lstatEntry(entry);
  if (stat === null) return { kind: 'absent' };
  if (stat.isDirectory()) return { kind: 'directory' };
  if (stat.isSymbolicLink()) return { kind: 'symlink', target: readlinkSync(entry.path) };
  if (!stat.isFile()) return { kind: 'special' };
  const { sha256, size } = hashFile(entry.path);
  return { kind: 'file', sha256, size, executable: (stat.mode & 0o100n) !== 0n };
}

/** SHA-256 of a regular file, read in chunks. */
function hashFile(path: string): { sha256: Sha256; size: number } {
  const hash = createHash('sha256');
  let size = 0;
  for (const chunk of readChunks(path)) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { sha256: hash.digest('hex') as Sha256, size };
}

/** The content of a regular file; a link is not followed (ELOOP). */
export function readEntry(path: string): Buffer {
  const parts: Buffer[] = [];
  for (const chunk of readChunks(path)) parts.push(Buffer.from(chunk));
  return Buffer.concat(parts);
}

/** Each chunk is valid only until the next one. */
function* readChunks(path: string): Generator<Buffer> {
  const fd = openSync(path, READ_FLAGS);
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let read = readSync(fd, buffer); read > 0; read = readSync(fd, buffer)) yield buffer.subarray(0, read);
  } finally {
    closeSync(fd);
  }
}
