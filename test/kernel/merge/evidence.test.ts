import { createHash, generateKeyPairSync, sign, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { dsseEnvelopeSchema, evidenceStatementSchema } from '../../../src/contracts/evidence.ts';
import type { EvidenceFacts } from '../../../src/contracts/evidence.ts';
import type { ObjectId, SessionId, Sha256 } from '../../../src/contracts/ids.ts';
import { buildEvidence, evidenceFiles, signedBytes } from '../../../src/kernel/merge/evidence.ts';

const digest = (text: string): Sha256 => createHash('sha256').update(text).digest('hex') as Sha256;

const FACTS: EvidenceFacts = {
  session_id: 's_abcdefgh' as SessionId,
  mode: 'strict',
  tree: 'a'.repeat(40) as ObjectId,
  parent: 'b'.repeat(40) as ObjectId,
  branch: 'refs/heads/main',
  model: 'replay/x',
  policy_sha256: digest('policy'),
  images: { node: 'sha256:1' },
  changes: [
    {
      path: 'src/a.js',
      before: { kind: 'absent' },
      after: { kind: 'file', sha256: digest('a'), size: 1, executable: false },
    },
  ],
  red: {
    run_id: 't_abcdefgh',
    staging: digest('red'),
    failed: [{ file: 'test/a.test.js', name: 'adds' }],
    test_files: [],
  },
  green: { run_id: 't_abcdefgi', staging: digest('green'), passed: 3, failed: [], skipped: 0, turned: [] },
  pre_existing_failures: [],
  exceptions: [],
  audit: { entries: 7, head: digest('audit') },
  observed_ms: 1_700_000_000_000,
};

const DECISION = { review_id: 'r_abcdefgh', by: 'policy' as const, sha256: digest('shown'), decided_ms: 1 };

test('the digest is of the statement’s bytes, whatever the order the facts came in', () => {
  const evidence = buildEvidence(FACTS);
  const reordered = Object.fromEntries(Object.entries(FACTS).reverse()) as EvidenceFacts;
  expect(evidence.digest).toBe(digest(evidence.statement.toString()));
  expect(buildEvidence(reordered)).toEqual(evidence);
  expect(evidenceStatementSchema.parse(JSON.parse(evidence.statement.toString())).predicate).toEqual(FACTS);
});

test.each([
  ['a case more', { ...FACTS, pre_existing_failures: [{ file: 'x', name: 'y' }] }],
  ['another tree', { ...FACTS, tree: 'c'.repeat(40) as ObjectId }],
  ['no red run', { ...FACTS, red: null }],
  ['another audit head', { ...FACTS, audit: { entries: 8, head: digest('audit') } }],
])('%s is another digest', (_, facts) => {
  expect(buildEvidence(facts).digest).not.toBe(buildEvidence(FACTS).digest);
});

test('facts that are not of the schema are not evidence', () => {
  expect(() => buildEvidence({ ...FACTS, observed_ms: -1 })).toThrow();
  expect(() => buildEvidence({ ...FACTS, more: 1 } as EvidenceFacts)).toThrow();
});

test('the envelope is DSSE: a signature over its pre-authentication encoding verifies from the file alone', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const evidence = buildEvidence(FACTS);
  const sig = sign(null, signedBytes(evidence), privateKey).toString('base64');
  const files = evidenceFiles(evidence, DECISION, [{ keyid: 'anchor', sig }]);
  const envelope = dsseEnvelopeSchema.parse(JSON.parse(files.statement.toString()));
  const payload = Buffer.from(envelope.payload, 'base64');
  const header = `DSSEv1 ${envelope.payloadType.length} ${envelope.payloadType} ${payload.length} `;
  const signed = Buffer.concat([Buffer.from(header), payload]);
  expect(verify(null, signed, publicKey, Buffer.from(envelope.signatures[0]?.sig ?? '', 'base64'))).toBe(true);
  expect(createHash('sha256').update(payload).digest('hex')).toBe(evidence.digest);
  expect(JSON.parse(files.decision.toString())).toEqual(DECISION);
});
