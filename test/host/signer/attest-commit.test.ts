import { describe, expect, it } from 'vitest';
import type { AttestRequest } from '../../../src/contracts/review/evidence.ts';
import { evidenceStatementSchema } from '../../../src/contracts/review/evidence.ts';
import type { ObjectId } from '../../../src/contracts/ids.ts';
import { attestCommit } from '../../../src/host/signer/attest-commit.ts';
import { generateSigningKey } from '../../../src/host/signer/signing-key.ts';
import { canonicalJson } from '../../../src/lib/canonical-json.ts';
import { signerOf } from '../../../src/lib/evidence/dsse.ts';
import { approvalOf } from '../../support/attested-repository.ts';
import { policyDecision, sha256, strictFacts } from '../../support/evidence-facts.ts';

const host = generateSigningKey().key;
const approver = generateSigningKey().key;
const REQUEST: AttestRequest = {
  commit: 'c'.repeat(40) as ObjectId,
  facts: strictFacts(),
  decision: policyDecision(),
  audit: { entries: 20, head: sha256('head') },
};
const approved = (by = approver, over = REQUEST.decision.sha256): AttestRequest => ({
  ...REQUEST,
  decision: { ...REQUEST.decision, by: 'human', ...approvalOf(by, over) },
});

/** What the host answers, and the heads that it was made to anchor. */
async function ask(request: AttestRequest, regress: string | null = null) {
  const anchored: number[] = [];
  const answer = await attestCommit(request, {
    key: () => Promise.resolve(host),
    approver: () => Promise.resolve(approver.publicKey),
    anchor: ({ entries, head }) => {
      anchored.push(entries);
      return Promise.resolve(
        regress === null
          ? { kind: 'anchored', anchor: { project: 'p1', entries, head, ts: 1 } }
          : { kind: 'refused', reason: regress },
      );
    },
    nowMs: () => 1_700_000_005_000,
  });
  return { answer, anchored };
}

describe('the host', () => {
  it.each([
    ['policy’s decision', REQUEST],
    ['this user’s approval', approved()],
  ])('attests %s in a statement that it composes itself, at a head that it has anchored', async (_, request) => {
    const { answer, anchored } = await ask(request);
    if (answer.kind === 'refused') throw new Error(answer.reason);
    expect(anchored).toEqual([20]);
    expect(signerOf(answer.envelope, [host.publicKey])).toBe(host.publicKey);
    const text = Buffer.from(answer.envelope.payload, 'base64').toString();
    const statement = evidenceStatementSchema.parse(JSON.parse(text));
    expect(text).toBe(canonicalJson(statement));
    expect(statement.subject).toEqual([{ name: 'refs/heads/main', digest: { gitCommit: REQUEST.commit } }]);
    expect(statement.predicate).toEqual({
      facts: request.facts,
      decision: request.decision,
      anchored: { project: 'p1', entries: 20, head: sha256('head'), signed_ms: 1_700_000_005_000 },
    });
  });

  it.each<[string, AttestRequest, RegExp]>([
    ['an approval by a key of somebody else', approved(generateSigningKey().key), /approval key of this user/],
    ['an approval of another review', approved(approver, sha256('another')), /not over this review/],
    ['facts that contradict each other', { ...REQUEST, facts: strictFacts({ green: null }) }, /never green/],
    ['a decision that policy cannot make', { ...REQUEST, facts: strictFacts({ revisions: ['x'] }) }, /revised/],
  ])('refuses %s before it anchors anything', async (_, request, reason) => {
    const { answer, anchored } = await ask(request);
    expect(answer).toMatchObject({ kind: 'refused', reason: expect.stringMatching(reason) as string });
    expect(anchored).toEqual([]);
  });

  it('refuses at a log that has gone back', async () => {
    const { answer } = await ask(REQUEST, '30 entries were signed, the log now has 20');
    expect(answer).toMatchObject({ kind: 'refused', reason: expect.stringContaining('30 entries') as string });
  });
});
