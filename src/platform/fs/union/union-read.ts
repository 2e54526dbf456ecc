import type { FileState } from '../../../contracts/review/change-set.ts';
import type { DirEntry, ReadOutcome } from '../../../contracts/ports/workspace.ts';
import { fstatSync } from 'node:fs';
import type { Dirent } from 'node:fs';
import type { Descriptors } from '../descriptors.ts';
import { errnoOf, withDescriptors } from '../descriptors.ts';
import { hashPinnedFile, isExecutable, readWhole, sha256Of } from '../file-content.ts';
import type { Spelling, UnionDirectory, UnionEntry } from './union-lookup.ts';
import { listUnion, lookUp } from './union-lookup.ts';
import type { UnionRoots } from './union-walk.ts';
import { locate, readLink } from './union-walk.ts';
import { assertNever } from '../../../lib/assert-never.ts';

/**
 * Reads a resolved path, synchronously: a small file takes a few dozen microseconds, less than passing it to a thread.
 * A file with several hard links is read like any other, because neither a sandbox nor the model can link to a file
 * outside.
 */
export function readUnion(roots: UnionRoots, path: string, maxBytes: number, spelling: Spelling = 'any'): ReadOutcome {
  return withDescriptors((descriptors) => {
    const found = locate(descriptors, roots, path, spelling);
    switch (found.kind) {
      case 'missing':
        return { kind: 'missing' };
      case 'unreachable':
        return { kind: 'refused', reason: 'permission denied' };
      case 'diverted':
        return { kind: 'refused', reason: `"${found.at}" is no longer a directory` };
      case 'symlink':
        return { kind: 'refused', reason: 'the path became a link after it was resolved' };
      case 'directory':
      case 'special':
        return { kind: 'not-a-file', what: found.kind };
      case 'file':
        return readPinned(descriptors, found.fd, found.stat.size, maxBytes);
      default:
        return assertNever(found);
    }
  });
}

function readPinned(descriptors: Descriptors, pinned: number, size: number, maxBytes: number): ReadOutcome {
  if (size > maxBytes) return { kind: 'too-large', size };
  let fd: number;
  try {
    fd = descriptors.reopen(pinned);
  } catch (error) {
    if (errnoOf(error) === 'EACCES') return { kind: 'refused', reason: 'permission denied' };
    throw error;
  }
  const bytes = readWhole(fd, size, maxBytes);
  if (bytes.length > maxBytes) return { kind: 'too-large', size: bytes.length };
  const { mode } = fstatSync(fd);
  return {
    kind: 'file',
    bytes,
    state: { kind: 'file', sha256: sha256Of(bytes), size: bytes.length, executable: isExecutable(mode) },
  };
}

/** Entries of a directory, sorted by name in code units; null if the path is not a directory. */
export function listDirectory(roots: UnionRoots, path: string): DirEntry[] | null {
  return withDescriptors((descriptors) => {
    const found = locate(descriptors, roots, path);
    if (found.kind !== 'directory') return null;
    return [...listUnion(found, descriptors)]
      .map(([name, entry]) => ({ name, kind: entryKind(entry) }))
      .sort((a, b) => compareCodeUnits(a.name, b.name));
  });
}

/** State of an entry found by a walk; null for special files and for files that this process may not read. */
export async function stateOf(descriptors: Descriptors, entry: UnionEntry): Promise<FileState | null> {
  switch (entry.kind) {
    case 'directory':
      return { kind: 'directory' };
    case 'special':
      return null;
    case 'symlink': {
      const target = readLink(entry.parent, entry.name);
      return target === null ? { kind: 'absent' } : { kind: 'symlink', target };
    }
    case 'file':
      return hashUnlessDenied(descriptors, entry.fd);
    default:
      return assertNever(entry);
  }
}

async function hashUnlessDenied(descriptors: Descriptors, pinned: number): Promise<FileState | null> {
  try {
    return await hashPinnedFile(descriptors, pinned);
  } catch (error) {
    if (errnoOf(error) === 'EACCES') return null;
    throw error;
  }
}

export interface LeafVisit {
  readonly path: string;
  readonly kind: 'file' | 'symlink';
}

/** Thrown by a walk that meets more entries than its caller allows. */
export class TooManyEntries extends Error {}

/** Paths of every file and link below a directory of the union; special files are skipped. */
export function leavesUnder(roots: UnionRoots, path: string, maxEntries: number): LeafVisit[] {
  const leaves: LeafVisit[] = [];
  let seen = 0;
  const visit = (directory: UnionDirectory, prefix: string): void => {
    withDescriptors((descriptors) => {
      for (const name of [...listUnion(directory, descriptors).keys()].sort(compareCodeUnits)) {
        seen += 1;
        if (seen > maxEntries) throw new TooManyEntries();
        const child = prefix === '' ? name : `${prefix}/${name}`;
        withDescriptors((own) => {
          const entry = lookUp(own, roots.marks, directory, name);
          if (entry.kind === 'directory') visit(entry, child);
          else if (entry.kind === 'file' || entry.kind === 'symlink') leaves.push({ path: child, kind: entry.kind });
        });
      }
    });
  };
  withDescriptors((descriptors) => {
    const found = locate(descriptors, roots, path);
    if (found.kind === 'directory') visit(found, path);
  });
  return leaves;
}

export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function entryKind(entry: Dirent): DirEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'special';
}
