import { describe, expect, it } from 'vitest';
import { HumanDecisions } from '../../../src/kernel/review/human-decisions.ts';

const REVIEW = { reviewId: 'r_review0001', sessionId: 's_session001', sha256: 'a'.repeat(64) };
const approve = (sha256: string) => ({ kind: 'approve' as const, sha256, signature: 'signature', publicKey: 'key' });

describe('a decision that is waited for', () => {
  it('counts for the session and the digest that were shown', async () => {
    const humans = new HumanDecisions();
    const waiting = humans.wait(REVIEW, new AbortController().signal);
    expect(humans.decide(REVIEW.reviewId, REVIEW.sessionId, approve(REVIEW.sha256))).toBe('decided');
    expect(await waiting).toMatchObject({ kind: 'approve' });
  });

  it.each([
    ['an approval of something else, however well signed', 's_session001', approve('b'.repeat(64))],
    ['an approval for another session', 's_session002', approve('a'.repeat(64))],
    ['a rejection from another session', 's_session002', { kind: 'reject' as const, reason: 'no' }],
  ])('is not decided by %s, and goes on waiting', (_, sessionId, decision) => {
    const humans = new HumanDecisions();
    void humans.wait(REVIEW, new AbortController().signal);
    expect(humans.decide(REVIEW.reviewId, sessionId, decision)).toBe('mismatch');
    expect(humans.decide(REVIEW.reviewId, REVIEW.sessionId, approve(REVIEW.sha256))).toBe('decided');
  });

  it('is decided once', () => {
    const humans = new HumanDecisions();
    void humans.wait(REVIEW, new AbortController().signal);
    humans.decide(REVIEW.reviewId, REVIEW.sessionId, { kind: 'reject', reason: 'no' });
    expect(humans.decide(REVIEW.reviewId, REVIEW.sessionId, approve(REVIEW.sha256))).toBe('not-waiting');
  });

  it('waits no more once the run is interrupted, and silence is no consent', async () => {
    const humans = new HumanDecisions();
    const controller = new AbortController();
    const waiting = humans.wait(REVIEW, controller.signal);
    controller.abort('interrupt');
    await expect(waiting).rejects.toThrow();
    expect(humans.decide(REVIEW.reviewId, REVIEW.sessionId, approve(REVIEW.sha256))).toBe('not-waiting');
  });
});
