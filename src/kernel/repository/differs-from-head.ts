import { createHash } from 'node:crypto';
import type { ChangeSet, FileState } from '../../contracts/review/change-set.ts';
import type { ObjectId } from '../../contracts/ids.ts';
import type { Repository, RepositoryState } from '../../contracts/ports/repository.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { objectUnreadable } from '../../lib/git/repository-unreadable.ts';
import { hasCrlf } from '../../lib/git/line-feeds.ts';
import { MODE, entryAt } from '../../lib/git/tree.ts';
import type { TreeEntry } from '../../lib/git/tree.ts';
import { readTree } from './read-tree.ts';

const MAX_BLOB_BYTES = 256 * 1024 * 1024;

/**
 * The changed paths that already differed from HEAD when the session first wrote to them. A commit of such a path
 * contains the user's own uncommitted work too, from before the session or from its time.
 */
export async function pathsUnlikeHead(
  repository: Repository,
  state: RepositoryState,
  { changes, dirtyAtStart }: { readonly changes: ChangeSet; readonly dirtyAtStart: readonly string[] },
): Promise<readonly string[]> {
  const unlike: string[] = [];
  const dirty = new Set(dirtyAtStart);
  for (const { path, before } of changes) {
    const entry = await entryAt((id) => readTree(repository, id), state.headTree, path);
    if (await isEntry(repository, before, entry, state.fileMode)) continue;
    if (dirty.has(path) || !(await isConverted(repository, before, entry, state.fileMode))) unlike.push(path);
  }
  return unlike;
}

/** Whether a file is the checked out form of an entry: with other line ends, or with `$Id$` expanded. */
async function isConverted(
  repository: Repository,
  before: FileState,
  entry: TreeEntry | null,
  fileMode: boolean,
): Promise<boolean> {
  if (before.kind !== 'file' || (entry?.mode !== MODE.file && entry?.mode !== MODE.executable)) return false;
  if (fileMode && before.executable !== (entry.mode === MODE.executable)) return false;
  const stored = (await readBlob(repository, entry.id)).toString('latin1');
  const withId = stored.replace(/\$Id(?::[^$\n]*)?\$/g, `$Id: ${entry.id} $$`);
  return [stored, withId]
    .flatMap((text) => [text, text.replace(/\r?\n/g, '\r\n')])
    .some((text) => isContent(before, Buffer.from(text, 'latin1')));
}

/** Whether a file has CRLF only because git checked it out so. */
export async function wasCheckedOutWithCrlf(
  repository: Repository,
  { headTree, fileMode }: RepositoryState,
  path: string,
  before: FileState,
): Promise<boolean> {
  const entry = await entryAt((id) => readTree(repository, id), headTree, path);
  if (before.kind !== 'file' || (entry?.mode !== MODE.file && entry?.mode !== MODE.executable)) return false;
  const stored = await readBlob(repository, entry.id);
  return !isContent(before, stored) && !hasCrlf(stored) && (await isConverted(repository, before, entry, fileMode));
}

/** Paths that are dirty now, were clean at the start, and were not changed by the session. Pure. */
export function dirtySince(start: readonly string[], now: readonly string[], changes: ChangeSet): readonly string[] {
  const known = new Set([...start, ...changes.map((change) => change.path)]);
  return now.filter((path) => !known.has(path));
}

/** Whether a file of the working tree equals the entry of a tree. */
export async function isEntry(
  repository: Repository,
  before: FileState,
  entry: TreeEntry | null,
  fileMode: boolean,
): Promise<boolean> {
  switch (before.kind) {
    case 'absent':
      return entry === null;
    case 'directory':
      // Git ignores an empty or ignored directory.
      return entry === null || entry.mode === MODE.directory;
    case 'symlink':
      return entry?.mode === MODE.symlink && (await readBlob(repository, entry.id)).equals(Buffer.from(before.target));
    case 'file': {
      if (entry?.mode !== MODE.file && entry?.mode !== MODE.executable) return false;
      if (fileMode && before.executable !== (entry.mode === MODE.executable)) return false;
      return isContent(before, await readBlob(repository, entry.id));
    }
    default:
      return assertNever(before);
  }
}

function isContent(before: Extract<FileState, { kind: 'file' }>, content: Buffer): boolean {
  return content.length === before.size && createHash('sha256').update(content).digest('hex') === String(before.sha256);
}

/** Throws FluffyError `repository_unreadable` if the repository has no such blob. */
export async function readBlob(repository: Repository, id: ObjectId): Promise<Buffer> {
  const object = await repository.readObject(id, MAX_BLOB_BYTES);
  if (object?.type !== 'blob') throw objectUnreadable(id, object, 'blob');
  return object.content;
}
