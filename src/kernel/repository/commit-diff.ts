import { createHash } from 'node:crypto';
import type { ChangeSet, FileState } from '../../contracts/review/change-set.ts';
import type { ObjectId, Sha256 } from '../../contracts/ids.ts';
import type { Repository } from '../../contracts/ports/repository.ts';
import { diffChanges } from '../../lib/diff/change-diff.ts';
import { fromByteString, toByteString } from '../../lib/git/byte-string.ts';
import { objectUnreadable } from '../../lib/git/repository-unreadable.ts';
import { MODE } from '../../lib/git/tree.ts';
import { changedEntries } from './changed-entries.ts';
import type { EntryChange } from './changed-entries.ts';

/** A source of objects: a repository, or a repository together with prepared objects. */
export type Objects = Pick<Repository, 'readObject'>;

export type CommitDiffOutcome =
  /** `diff` is what a review shows and an approval signs. `changes` are sorted by path. */
  | { readonly kind: 'ok'; readonly changes: ChangeSet; readonly diff: string }
  | { readonly kind: 'refused'; readonly reason: string };

const MAX_BLOB_BYTES = 256 * 1024 * 1024;
const MAX_LINK_BYTES = 64 * 1024;
const MAX_DIFF_CHARACTERS = 128 * 1024 * 1024;

/**
 * What a commit changes, computed only from its parent's tree and its own: the same text in the review and in any later
 * verification. Trees and blobs may be hostile; anything that fluffy would not commit is refused. Throws FluffyError
 * `repository_unreadable` if an object is missing.
 */
export async function commitDiff(objects: Objects, before: ObjectId, after: ObjectId): Promise<CommitDiffOutcome> {
  const entries = await changedEntries(objects, before, after);
  if (entries.kind === 'refused') return entries;
  try {
    return await describe(objects, entries.changes);
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', reason: error.message };
    throw error;
  }
}

/** Thrown inside this file only. */
class Refusal extends Error {}

async function describe(objects: Objects, entries: readonly EntryChange[]): Promise<CommitDiffOutcome> {
  const changes: ChangeSet[number][] = [];
  const texts: string[] = [];
  let length = 0;
  for (const entry of entries) {
    const path = fromByteString(entry.path);
    if (toByteString(path) !== entry.path) throw new Refusal(`a path is not UTF-8: ${JSON.stringify(path)}`);
    const old = await stateOfEntry(objects, entry.before);
    const now = await stateOfEntry(objects, entry.after);
    if (old === null || now === null) throw new Refusal(`${path} is a submodule, or of a kind that git does not know`);
    const change = { path, before: old.state, after: now.state };
    // One at a time: the contents of the whole change may not fit into memory.
    const text = diffChanges([change], { before: () => old.bytes, after: () => now.bytes });
    length += text.length;
    if (length > MAX_DIFF_CHARACTERS) throw new Refusal('the diff is larger than can be shown');
    changes.push(change);
    texts.push(text);
  }
  return { kind: 'ok', changes, diff: texts.join('') };
}

export interface Side {
  readonly state: FileState;
  readonly bytes: Buffer | null;
}

/**
 * An entry of a tree as a file's state, with its bytes if it is a regular file; null if fluffy does not commit such an
 * entry.
 */
export async function stateOfEntry(objects: Objects, entry: EntryChange['after']): Promise<Side | null> {
  if (entry === null) return { state: { kind: 'absent' }, bytes: null };
  switch (entry.mode) {
    case MODE.symlink:
      return {
        state: { kind: 'symlink', target: (await blob(objects, entry.id, MAX_LINK_BYTES)).toString('utf8') },
        bytes: null,
      };
    case MODE.file:
    case MODE.executable: {
      const bytes = await blob(objects, entry.id, MAX_BLOB_BYTES);
      const sha256 = createHash('sha256').update(bytes).digest('hex') as Sha256;
      return {
        state: { kind: 'file', sha256, size: bytes.length, executable: entry.mode === MODE.executable },
        bytes,
      };
    }
    default:
      return null;
  }
}

async function blob(objects: Objects, id: ObjectId, maxBytes: number): Promise<Buffer> {
  const object = await objects.readObject(id, maxBytes);
  if (object === null) throw objectUnreadable(id, null, 'blob');
  if (object.type !== 'blob') throw new Refusal(`object ${id} is not a blob`);
  return object.content;
}
