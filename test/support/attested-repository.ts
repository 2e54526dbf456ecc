import { existsSync } from 'node:fs';
import type { AttestRequest, EvidenceDecision, EvidenceFacts } from '../../src/contracts/review/evidence.ts';
import { EVIDENCE_REF } from '../../src/contracts/review/evidence.ts';
import type { ObjectId, ReviewId, SessionId, Sha256 } from '../../src/contracts/ids.ts';
import { attestCommit } from '../../src/host/signer/attest-commit.ts';
import { generateSigningKey } from '../../src/host/signer/signing-key.ts';
import type { SigningKey } from '../../src/host/signer/signing-key.ts';
import { signApproval } from '../../src/host/signer/stored-keys.ts';
import { commitDiff } from '../../src/kernel/repository/commit-diff.ts';
import { commitMessage } from '../../src/kernel/commit/commit-message.ts';
import { composeEvidenceCommit } from '../../src/kernel/commit/evidence-commit.ts';
import { envelopeFile } from '../../src/kernel/commit/evidence.ts';
import { sealEnvelope } from '../../src/lib/evidence/dsse.ts';
import { encodeFacts, encodeStatement } from '../../src/lib/evidence/statement.ts';
import { reviewDigest } from '../../src/lib/review-digest.ts';
import { openHistory } from '../../src/platform/git/history.ts';
import type { Repository } from '../../src/contracts/ports/repository.ts';
import { sha256, strictFacts } from './evidence-facts.ts';
import { makeRepository } from './real-git.ts';
import type { RealRepository } from './real-git.ts';

export const SESSION = 's_fixture0001' as SessionId;
const COMMITTER = { name: 'Ada Example', email: 'ada@example.org', seconds: 1_700_000_000, offsetMinutes: 60 };

/** Everything about a commit and its evidence that a test may want otherwise. */
export interface Attested {
  /** Path and content of what the commit changes; null deletes. Default: a test and a source. */
  readonly files?: Readonly<Record<string, string | null>>;
  readonly by?: EvidenceDecision['by'];
  /** The last word on the facts. */
  readonly facts?: (facts: EvidenceFacts) => EvidenceFacts;
  /** The last word on what the host is asked for. */
  readonly request?: (request: AttestRequest) => AttestRequest;
  /** The host's key signs whatever it gets, as if it looked at nothing. Default: it is the real one. */
  readonly blindHost?: boolean;
  readonly message?: string;
  /** What the `Fluffy-Mode` trailer says; default: the truth. */
  readonly mode?: string;
}

export interface AttestedRepository extends RealRepository {
  readonly host: SigningKey;
  readonly approver: SigningKey;
  /** Makes a commit of these files on HEAD as fluffy does, with evidence by the host. Returns its id and the digest of its facts. */
  attested(wanted?: Attested): Promise<{ readonly commit: string; readonly digest: Sha256 }>;
  /** Puts bytes where the envelope for facts of this digest belongs. */
  putEnvelope(digest: Sha256, bytes: Buffer, commit: string): Promise<void>;
}

/** A repository with one commit that nobody attested, and the means to add such as fluffy makes: by the product's own code, with real git. */
export function makeAttestedRepository(): AttestedRepository {
  const made = makeRepository();
  const host = generateSigningKey().key;
  const approver = generateSigningKey().key;
  made.write('src/a.js', 'export const a = 1;\n');
  made.write('README.md', 'A project.\n');
  made.commit('First');
  let entries = 10;
  let count = 0;

  const withHistory = async <T>(use: (repository: Repository) => Promise<T>): Promise<T> => {
    const gitDir = existsSync(`${made.root}/.git`) ? `${made.root}/.git` : made.root;
    const history = openHistory({ root: made.root, gitDir, commonDir: gitDir });
    try {
      return await use(history as unknown as Repository);
    } finally {
      await history.close();
    }
  };

  const putEnvelope = (digest: Sha256, bytes: Buffer, commit: string): Promise<void> =>
    withHistory(async (repository) => {
      const evidence = await composeEvidenceCommit(repository, {
        commit: commit as ObjectId,
        digest,
        envelope: bytes,
        committer: COMMITTER,
      });
      for (const { type, content } of evidence.objects.values()) {
        made.gitBytes(['hash-object', '-w', '-t', type, '--stdin'], content);
      }
      made.git('update-ref', EVIDENCE_REF, evidence.to);
    });

  const attested: AttestedRepository['attested'] = async (wanted = {}) => {
    count += 1;
    const test = `test/new-${count}.test.js`;
    const files = wanted.files ?? { [test]: `check(${count});\n`, 'src/a.js': `export const a = ${count + 1};\n` };
    const parent = made.git('rev-parse', 'HEAD').trim() as ObjectId;
    for (const [path, content] of Object.entries(files)) {
      if (content === null) made.git('rm', '-q', '--', path);
      else made.write(path, content);
    }
    made.git('add', '--all');
    const tree = made.git('write-tree').trim() as ObjectId;
    const diff = await withHistory((repository) =>
      commitDiff(repository, made.git('rev-parse', `${parent}^{tree}`).trim() as ObjectId, tree),
    );
    if (diff.kind === 'refused') throw new Error(diff.reason);
    const usual = strictFacts({ session_id: SESSION, tree, parent, changes: [...diff.changes] });
    const red = usual.red && {
      ...usual.red,
      test_files: diff.changes.flatMap(({ path, after }) =>
        path.startsWith('test/') && after.kind === 'file' ? [{ path, sha256: after.sha256 }] : [],
      ),
    };
    const facts = (wanted.facts ?? ((same) => same))({ ...usual, red });
    const { digest } = encodeFacts(facts);
    const mode = wanted.mode ?? (facts.red === null ? `${facts.mode}-unverified` : facts.mode);
    const message =
      commitMessage(wanted.message ?? `Change a, ${count}`, { session: SESSION, mode, evidence: digest }) ?? '';
    const commit = made.gitBytes(['commit-tree', tree, '-p', parent], message).toString().trim() as ObjectId;
    const shown = reviewDigest({ session_id: SESSION, base: parent, message, diff: diff.diff }) as Sha256;
    const decided = {
      review_id: `r_review${String(count).padStart(4, '0')}` as ReviewId,
      sha256: shown,
      decided_ms: 1_700_000_004_000,
    };
    const decision: EvidenceDecision =
      wanted.by === 'human'
        ? { by: 'human', ...decided, ...approvalOf(approver, shown) }
        : { by: 'policy', ...decided };
    entries += 5;
    const audit = { entries, head: sha256(`head ${entries}`) };
    const request = (wanted.request ?? ((same) => same))({ commit, facts, decision, audit });
    const blind = {
      facts,
      decision,
      anchored: { project: 'abcdef0123456789', ...audit, signed_ms: 1_700_000_005_000 },
    };
    const sealed = sealEnvelope(encodeStatement(request.commit, { ...blind, ...pick(request) }), host);
    const answer = await attestCommit(request, {
      key: () => Promise.resolve(host),
      approver: () => Promise.resolve(approver.publicKey),
      anchor: ({ entries: through, head }) =>
        Promise.resolve({ kind: 'anchored', anchor: { project: 'abcdef0123456789', entries: through, head, ts: 0 } }),
      nowMs: () => 1_700_000_005_000,
    });
    if (answer.kind === 'refused' && wanted.blindHost !== true) throw new Error(answer.reason);
    const envelope = answer.kind === 'attested' && wanted.blindHost !== true ? answer.envelope : sealed;
    await putEnvelope(digest, envelopeFile(envelope), commit);
    made.git('update-ref', 'HEAD', commit);
    return { commit, digest };
  };
  return { ...made, host, approver, attested, putEnvelope };
}

const pick = ({ facts, decision }: AttestRequest): Pick<AttestRequest, 'facts' | 'decision'> => ({ facts, decision });

export function approvalOf(
  key: SigningKey,
  digest: string,
): { readonly signature: string; readonly public_key: string } {
  const { signature, public_key } = signApproval(key, digest);
  return { signature, public_key };
}
