import { expect, test } from 'vitest';
import { dsseEnvelopeSchema } from '../../../src/contracts/review/evidence.ts';
import type { EvidenceFacts } from '../../../src/contracts/review/evidence.ts';
import { envelopeFile, stateFacts } from '../../../src/kernel/commit/evidence.ts';
import { canonicalJson } from '../../../src/lib/canonical-json.ts';
import { sha256, strictFacts } from '../../support/evidence-facts.ts';

const FACTS = strictFacts();

test('the trailer is the digest of the facts as canonical JSON, in whatever order they came', () => {
  const reordered = Object.fromEntries(Object.entries(FACTS).reverse()) as EvidenceFacts;
  const stated = { kind: 'stated', digest: sha256(canonicalJson(FACTS)) };
  expect(stateFacts(FACTS)).toMatchObject(stated);
  expect(stateFacts(reordered)).toMatchObject(stated);
});

test.each<[string, Partial<EvidenceFacts>]>([
  ['another tree', { tree: 'c'.repeat(40) as never }],
  ['another head of the audit log', { audit: { entries: 12, head: sha256('other') } }],
])('%s is another digest', (_, change) => {
  expect(stateFacts(strictFacts(change))).not.toMatchObject({ digest: sha256(canonicalJson(FACTS)) });
});

test('facts that are not of the schema are no evidence', () => {
  expect(() => stateFacts({ ...FACTS, observed_ms: -1 })).toThrow();
  expect(() => stateFacts({ ...FACTS, more: 1 } as EvidenceFacts)).toThrow();
});

test('facts that contradict each other go back to work instead of to review', () => {
  const red = FACTS.red === null ? null : { ...FACTS.red, failed: [] };
  expect(stateFacts(strictFacts({ red }))).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('no test failed') as string,
  });
});

test('more than a host would hold in memory is refused before anybody reviews it', () => {
  const failed = Array.from({ length: 20_000 }, (_, index) => ({
    file: 'a.test.js',
    name: `${index} ${'x'.repeat(100)}`,
  }));
  const facts = strictFacts({ pre_existing: { failed, broken_files: [] } });
  expect(stateFacts(facts)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('too large') as string });
});

test('an envelope is kept as one line of canonical JSON', () => {
  const envelope = { signatures: [], payloadType: 'application/vnd.in-toto+json', payload: 'e30=' } as const;
  const file = envelopeFile({ ...envelope, signatures: [...envelope.signatures] }).toString();
  expect(file).toBe('{"payload":"e30=","payloadType":"application/vnd.in-toto+json","signatures":[]}\n');
  expect(dsseEnvelopeSchema.parse(JSON.parse(file))).toEqual(envelope);
});
