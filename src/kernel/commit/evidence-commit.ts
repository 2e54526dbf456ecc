import { envelopePath, EVIDENCE_REF } from '../../contracts/review/evidence.ts';
import type { ObjectId, Sha256 } from '../../contracts/ids.ts';
import type { CommitSignature } from '../../contracts/review/prepared-commit.ts';
import type { Repository, StoredObject } from '../../contracts/ports/repository.ts';
import { encodeCommit, parseCommitLinks } from '../../lib/git/commit.ts';
import { composeTree } from '../../lib/git/compose-tree.ts';
import { hashObject } from '../../lib/git/object-id.ts';
import { MODE } from '../../lib/git/tree.ts';
import { readTree } from '../repository/read-tree.ts';

/**
 * The next commit of the evidence ref. Its history is linear, so that it can be pushed and pulled as a fast-forward.
 */
export interface EvidenceCommit {
  readonly ref: typeof EVIDENCE_REF;
  readonly from: ObjectId | null;
  readonly to: ObjectId;
  readonly objects: ReadonlyMap<ObjectId, StoredObject>;
}

/**
 * Adds the envelope of one commit's evidence to the content of the ref. Throws if the ref does not point to such a
 * commit.
 */
export async function composeEvidenceCommit(
  repository: Repository,
  evidence: {
    readonly commit: ObjectId;
    readonly digest: Sha256;
    readonly envelope: Buffer;
    readonly committer: CommitSignature;
  },
): Promise<EvidenceCommit> {
  const from = await repository.readRef(EVIDENCE_REF);
  const previous = from === null ? null : await repository.readObject(from);
  const base = previous?.type === 'commit' ? (parseCommitLinks(previous.content)?.tree ?? null) : null;
  if (from !== null && base === null) throw new Error(`${EVIDENCE_REF} does not name a commit`);

  const objects = new Map<ObjectId, StoredObject>();
  const add = (type: StoredObject['type'], content: Buffer): ObjectId => {
    const id = hashObject(type, content);
    objects.set(id, { type, content });
    return id;
  };
  const edits = new Map([[envelopePath(evidence.digest), { mode: MODE.file, id: add('blob', evidence.envelope) }]]);
  const composed = await composeTree(base, edits, (id) => readTree(repository, id));
  if (composed.kind === 'refused') throw new Error(`evidence cannot be added: ${composed.reason}`);
  for (const [id, content] of composed.created) objects.set(id, { type: 'tree', content });
  const to = add(
    'commit',
    encodeCommit({
      tree: composed.tree,
      parents: from === null ? [] : [from],
      author: evidence.committer,
      committer: evidence.committer,
      message: `Evidence for ${evidence.commit}\n`,
    }),
  );
  return { ref: EVIDENCE_REF, from, to, objects };
}
