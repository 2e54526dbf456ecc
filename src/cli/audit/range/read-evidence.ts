import { EVIDENCE_REF, envelopePath, MAX_ENVELOPE_BYTES } from '../../../contracts/review/evidence.ts';
import { FluffyError } from '../../../contracts/fluffy-error.ts';
import type { ObjectId, Sha256 } from '../../../contracts/ids.ts';
import type { StoredObject } from '../../../contracts/ports/repository.ts';
import { toByteString } from '../../../lib/git/byte-string.ts';
import { parseCommitLinks } from '../../../lib/git/commit.ts';
import { MODE, parseTree } from '../../../lib/git/tree.ts';
import type { TreeEntry } from '../../../lib/git/tree.ts';

export type ReadObject = (id: ObjectId, maxBytes?: number) => Promise<StoredObject>;

export type EvidenceFile =
  | { readonly kind: 'found'; readonly bytes: Buffer }
  | { readonly kind: 'absent' }
  | { readonly kind: 'malformed'; readonly reason: string };

/** The envelope for facts with this digest, from the tree of the evidence ref's commit. */
export async function readEvidenceFile(read: ReadObject, ref: ObjectId, digest: Sha256): Promise<EvidenceFile> {
  const commit = await read(ref);
  let at = commit.type === 'commit' ? (parseCommitLinks(commit.content)?.tree ?? null) : null;
  if (at === null) return malformed(`${EVIDENCE_REF} does not name a commit`);
  const [directory = '', name = ''] = envelopePath(digest).split('/');
  for (const [part, mode] of [
    [directory, MODE.directory],
    [name, MODE.file],
  ] as const) {
    const entry = await entryOf(read, at, part);
    if (typeof entry === 'string') return malformed(entry);
    if (entry === null) return { kind: 'absent' };
    if (entry.mode !== mode) return malformed(`${part} below ${EVIDENCE_REF} is not what fluffy puts there`);
    at = entry.id;
  }
  try {
    const blob = await read(at, MAX_ENVELOPE_BYTES);
    return blob.type === 'blob' ? { kind: 'found', bytes: blob.content } : malformed('the envelope is not a file');
  } catch (error) {
    if (error instanceof FluffyError && error.code === 'object_too_large') {
      return malformed(`the envelope has more than ${MAX_ENVELOPE_BYTES} bytes`);
    }
    throw error;
  }
}

/** A string is the reason why the tree is invalid. */
async function entryOf(read: ReadObject, tree: ObjectId, name: string): Promise<TreeEntry | null | string> {
  const object = await read(tree);
  const entries = object.type === 'tree' ? parseTree(object.content) : null;
  if (entries === null) return `a directory below ${EVIDENCE_REF} is malformed`;
  const found = entries.filter((entry) => entry.name === toByteString(name));
  return found.length > 1 ? `${EVIDENCE_REF} contains ${name} twice` : (found[0] ?? null);
}

function malformed(reason: string): EvidenceFile {
  return { kind: 'malformed', reason };
}
