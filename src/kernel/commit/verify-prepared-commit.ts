import type { ObjectId } from '../../contracts/ids.ts';
import type { PreparedCommit, Repository, StoredObject } from '../../contracts/ports/repository.ts';
import { decodeLooseObject } from '../../lib/git/loose-object.ts';
import { hashObject } from '../../lib/git/object-id.ts';

export type VerifyOutcome = { readonly kind: 'verified' } | { readonly kind: 'refused'; readonly reason: string };

/**
 * Content of a file in the scratch directory of the sandbox that prepared the commit; null if there is no such file.
 */
export type ReadScratch = (path: string) => Promise<Buffer | null>;

const MAX_HEADER_BYTES = 32;

/**
 * Whether the git tool made exactly the commit that the kernel computed: the same id (and so the same tree, parent,
 * message and identity), and every object that the repository lacks is complete and has its own hash. Everything else
 * that the tool wrote is never read and never leaves the scratch directory.
 */
export async function verifyPreparedCommit(
  repository: Repository,
  expected: { readonly prepared: PreparedCommit; readonly objects: ReadonlyMap<ObjectId, StoredObject> },
  claimed: string,
  readScratch: ReadScratch,
): Promise<VerifyOutcome> {
  if (claimed !== expected.prepared.commit) {
    return refused(`the git tool made commit ${claimed.slice(0, 64)}, where ${expected.prepared.commit} was due`);
  }
  for (const [id, object] of expected.objects) {
    const bytes = await readScratch(`.git/objects/${id.slice(0, 2)}/${id.slice(2)}`);
    if (bytes === null) {
      if ((await repository.readObject(id, object.content.length)) === null) return refused(`object ${id} is missing`);
      continue;
    }
    const decoded = decodeLooseObject(bytes, object.content.length + MAX_HEADER_BYTES);
    if (decoded.kind === 'invalid') return refused(`object ${id} is malformed: ${decoded.reason}`);
    if (hashObject(decoded.object.type, decoded.object.content) !== id)
      return refused(`object ${id} has other content`);
  }
  return { kind: 'verified' };
}

function refused(reason: string): VerifyOutcome {
  return { kind: 'refused', reason };
}
