import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { updaterThroughKernel } from '../../../../src/cli/config/policy/update-through-kernel.ts';
import type { PolicyKernel } from '../../../../src/cli/config/policy/update-through-kernel.ts';
import { FluffyError } from '../../../../src/contracts/fluffy-error.ts';
import { MAX_POLICY_CHARACTERS } from '../../../../src/contracts/session/policy-requests.ts';
import { policyReview } from '../../../../src/kernel/policy/index.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const BEFORE = { text: 'capabilities: []\n', sha256: sha256('capabilities: []\n') };
const AFTER = 'version: 1\ncapabilities: []\n';
const PLAN = { changes: [], breaking: 0, opened: 0, phrase: null, lines: [] };

const refusal = (code: string) => new FluffyError({ code, what: '', why: '', fix: '', exitCode: 7 });

const honest = () =>
  policyReview({
    file: '.fluffy/policy.yaml',
    before: BEFORE,
    after: { text: AFTER, sha256: sha256(AFTER) },
    inForce: { before: 'a', after: 'b' },
    plan: PLAN,
    replayed: 3,
  });

/** A kernel that answers a proposal with `review`, and notes what it is asked. */
function kernelWith(
  review: object,
  answers: Readonly<Record<string, unknown>> = {},
  lost: Promise<FluffyError> = new Promise(() => undefined),
) {
  const asked: [string, unknown][] = [];
  const kernel = {
    request: (method: string, params: unknown) => {
      asked.push([method, params]);
      if (method === 'policy.update') {
        const proposed = { kind: 'proposed', review: { review_id: 'r_1', ...review }, warnings: [] };
        return Promise.resolve({ ...proposed, replayed: 3, breaking: 0, changes: [], phrase: null });
      }
      const answer = answers[method];
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    close: () => undefined,
    lost,
  } as unknown as PolicyKernel;
  const signed: string[] = [];
  const updater = updaterThroughKernel(kernel, (digest) => {
    signed.push(digest);
    return Promise.resolve({ sha256: digest, signature: 'sig', public_key: 'key' });
  });
  return { updater, asked, signed };
}

describe('through the kernel', () => {
  it('a change is proposed over its base, signed on a yes, and taken up', async () => {
    const review = honest();
    const { updater, asked, signed } = kernelWith(review, {
      'policy.decide': { kind: 'approved' },
      'policy.reload': { replaced: true, old_hash: 'a', new_hash: 'b' },
    });
    const proposal = await updater.propose(BEFORE, AFTER);
    if (proposal.kind !== 'proposed') throw new Error(proposal.kind);
    expect(signed).toEqual([]);
    expect(await proposal.update.approve()).toEqual({ kind: 'approved' });
    expect(await proposal.update.takeUp()).toBe('now');
    expect(signed).toEqual([review.sha256]);
    expect(asked).toEqual([
      ['policy.update', { base: BEFORE.sha256, text: AFTER }],
      [
        'policy.decide',
        {
          review_id: 'r_1',
          decision: { kind: 'approve', sha256: review.sha256, signature: 'sig', public_key: 'key', phrase: null },
        },
      ],
      ['policy.reload', { review_id: 'r_1' }],
    ]);
  });

  it.each([
    ['is gone when the text is in place', refusal('kernel_lost'), 'kernel-lost'],
    ['refuses to take the text up', refusal('kernel_refused'), 'not-yet'],
  ])('a kernel that %s is not told as one that does not run', async (_name, answer, taken) => {
    const { updater } = kernelWith(honest(), { 'policy.reload': answer });
    const proposal = await updater.propose(BEFORE, AFTER);
    if (proposal.kind !== 'proposed') throw new Error(proposal.kind);
    expect(await proposal.update.takeUp()).toBe(taken);
  });

  it('a text longer than a kernel takes is told as such', async () => {
    const { updater, asked } = kernelWith(honest());
    const proposal = await updater.propose(BEFORE, '#'.repeat(MAX_POLICY_CHARACTERS + 1));
    expect(proposal).toMatchObject({
      kind: 'invalid',
      errors: [{ message: expect.stringContaining('524288') as string }],
    });
    expect(asked).toEqual([]);
  });

  const another = (change: Partial<Parameters<typeof policyReview>[0]>) =>
    policyReview({
      file: '.fluffy/policy.yaml',
      before: BEFORE,
      after: { text: AFTER, sha256: sha256(AFTER) },
      inForce: { before: 'a', after: 'b' },
      plan: PLAN,
      replayed: 3,
      ...change,
    });

  it.each([
    ['shows another text', another({ after: { text: 'x', sha256: sha256('x') } })],
    ['shows another base', another({ before: null })],
    ['asks for another signature', { ...honest(), sha256: 'c'.repeat(64) }],
    ['says one thing and shows another', { ...honest(), diff: '' }],
    [
      'keeps back a result that its review tells',
      another({ plan: { ...PLAN, lines: ['[WIDER] fs.read a (idle, strict): deny -> allow'] } }),
    ],
  ])('nothing is signed for a kernel that %s', async (_name, review) => {
    const { updater, signed } = kernelWith(review);
    await expect(updater.propose(BEFORE, AFTER)).rejects.toMatchObject({ code: 'review_mismatch' });
    expect(signed).toEqual([]);
  });
});
