import { createHash } from 'node:crypto';
import type { EvidenceDecision, EvidenceFacts } from '../../src/contracts/review/evidence.ts';
import type { ObjectId, ReviewId, SessionId, Sha256 } from '../../src/contracts/ids.ts';

export const sha256 = (content: string | Buffer): Sha256 =>
  createHash('sha256').update(content).digest('hex') as Sha256;

const CASE = { file: 'test/a.test.js', name: 'refuses nothing' };

/** Facts of a strict commit that hang together; a test changes what it is about. */
export function strictFacts(changed: Partial<EvidenceFacts> = {}): EvidenceFacts {
  return {
    session_id: 's_abcdefgh' as SessionId,
    mode: 'strict',
    tree: 'a'.repeat(40) as ObjectId,
    parent: 'b'.repeat(40) as ObjectId,
    branch: 'refs/heads/main',
    model: 'replay/x',
    policy_sha256: sha256('policy'),
    images: { node: 'sha256:1' },
    changes: [],
    red: {
      run_id: 't_red',
      staging: sha256('with the test'),
      failed: [CASE],
      test_files: [{ path: CASE.file, sha256: sha256('test') }],
      at_ms: 1_700_000_001_000,
    },
    green: {
      run_id: 't_green',
      staging: sha256('with test and source'),
      passed: 3,
      failed: [],
      skipped: 0,
      turned: [CASE],
      at_ms: 1_700_000_002_000,
    },
    pre_existing: { failed: [], broken_files: [] },
    exemption: null,
    revisions: [],
    audit: { entries: 12, head: sha256('head') },
    observed_ms: 1_700_000_003_000,
    ...changed,
  };
}

export function policyDecision(digest: Sha256 = sha256('review')): EvidenceDecision {
  return { by: 'policy', review_id: 'r_abcdefgh' as ReviewId, sha256: digest, decided_ms: 1_700_000_004_000 };
}
