import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decideReview, decideShownReview } from '../../../src/cli/review/decide-review.ts';
import type { ShownReview } from '../../../src/cli/review/decide-review.ts';
import type { KernelClient } from '../../../src/cli/kernel-client/kernel-client.ts';
import { userDirs } from '../../../src/contracts/host-layout.ts';
import { reviewDigest, verifyApproval } from '../../../src/lib/review-digest.ts';

const SUBJECT = { session_id: 's_1', base: 'c0ffee', message: 'Subject', diff: '+one\n' };
const SHOWN: ShownReview = {
  review_id: 'r_1',
  kind: 'merge',
  message: SUBJECT.message,
  diff: SUBJECT.diff,
  sha256: reviewDigest(SUBJECT),
};

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'fluffy-decide-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

/** A kernel that says this of the review it has, and writes down the decisions it gets. */
function kernelWith(review: object | null) {
  const decisions: { kind: string; sha256?: string; signature?: string; public_key?: string; reason?: string }[] = [];
  const client = {
    request: (method: string, params: { decision: (typeof decisions)[number] }) => {
      if (method === 'review.get') return Promise.resolve({ review });
      decisions.push(params.decision);
      return Promise.resolve({ outcome: 'committed', message: '' });
    },
  } as unknown as Pick<KernelClient, 'request'>;
  return { client, decisions };
}

const decide = (client: Pick<KernelClient, 'request'>, shown: ShownReview, kind: 'approve' | 'reject' = 'approve') =>
  decideShownReview(
    client,
    userDirs({ HOME: home }),
    's_1',
    shown,
    kind === 'approve' ? { kind } : { kind, reason: 'no' },
  );

describe('a review that was on the screen', () => {
  it('is signed as it was shown', async () => {
    const { client, decisions } = kernelWith({ review_id: 'r_1', ...SUBJECT });
    await decide(client, SHOWN);
    const [decision] = decisions;
    expect(decision?.sha256).toBe(SHOWN.sha256);
    expect(verifyApproval(decision?.public_key ?? '', SHOWN.sha256, decision?.signature ?? '')).toBe(true);
  });

  it.each([
    [
      'the kernel wants something else signed',
      { review_id: 'r_1', ...SUBJECT },
      { ...SHOWN, sha256: reviewDigest({ ...SUBJECT, diff: '+two\n' }) },
    ],
    ['another diff was shown', { review_id: 'r_1', ...SUBJECT }, { ...SHOWN, diff: '+two\n' }],
    ['another message was shown', { review_id: 'r_1', ...SUBJECT }, { ...SHOWN, message: 'Other' }],
    ['it is based on another commit by now', { review_id: 'r_1', ...SUBJECT, base: 'decaf' }, SHOWN],
    ['another review waits by now', { review_id: 'r_2', ...SUBJECT }, SHOWN],
    ['no review waits any more', null, SHOWN],
    [
      'its diff was too large for the screen',
      { review_id: 'r_1', ...SUBJECT, diff_characters: SHOWN.diff.length + 1 },
      SHOWN,
    ],
  ])('is neither signed nor decided when %s', async (_, review, shown) => {
    const { client, decisions } = kernelWith(review);
    await expect(decide(client, shown)).rejects.toMatchObject({ code: expect.stringMatching(/review/) as string });
    expect(decisions).toEqual([]);
    expect(await readdir(home)).toEqual([]);
  });

  it('of a single call is based on no commit', async () => {
    const { client, decisions } = kernelWith(null);
    const sha256 = reviewDigest({ ...SUBJECT, base: '' });
    await decide(client, { ...SHOWN, kind: 'policy', sha256 });
    expect(decisions[0]?.sha256).toBe(sha256);
  });

  it('is rejected without any key', async () => {
    const { client, decisions } = kernelWith({ review_id: 'r_1', ...SUBJECT });
    await decide(client, SHOWN, 'reject');
    expect(decisions).toEqual([{ kind: 'reject', reason: 'no' }]);
    expect(await readdir(home)).toEqual([]);
  });
});

describe('a request for tests', () => {
  const ask = (facts: object) => {
    const { client, decisions } = kernelWith({ review_id: 'r_1', ...SUBJECT, ...facts });
    const choice = { kind: 'reject', reason: 'Add tests', tests: true } as const;
    return { decisions, done: decideReview(client as KernelClient, userDirs({ HOME: home }), null, choice) };
  };

  it('is sent where tests can follow', async () => {
    const { decisions, done } = ask({ facts: { tests_can_follow: true } });
    await done;
    expect(decisions).toEqual([{ kind: 'reject', reason: 'Add tests', tests: true }]);
  });

  it('is refused in strict mode, where they came first', async () => {
    const { decisions, done } = ask({ facts: {} });
    await expect(done).rejects.toMatchObject({ code: 'tests_cannot_follow', exitCode: 2 });
    expect(decisions).toEqual([]);
  });
});
