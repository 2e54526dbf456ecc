import { reviewDigest } from '../../lib/review-digest.ts';
import type { SessionContext } from '../services.ts';
import { recordDecision } from './record-decision.ts';

export interface CallReview {
  readonly tool: string;
  readonly input: unknown;
  readonly reasons: readonly string[];
}

/** `absent`: no person attends the run. */
export type ReviewOutcome =
  { readonly kind: 'approved' } | { readonly kind: 'rejected'; readonly reason: string } | { readonly kind: 'absent' };

/**
 * Shows a person a call that policy wants reviewed, and waits for the decision. Its record is on disk when this
 * returns.
 */
export async function askHuman(
  { services, session, signal }: Omit<SessionContext, 'workspace'>,
  { tool, input, reasons }: CallReview,
): Promise<ReviewOutcome> {
  if (!session.snapshot.options.interactive) return { kind: 'absent' };
  const reviewId = services.random.id('r', 20);
  const shown = { session_id: session.id, base: '', message: tool, diff: JSON.stringify(input, null, 2) };
  const sha256 = reviewDigest(shown);
  session.emit({
    type: 'review.requested',
    review_id: reviewId,
    kind: 'policy',
    risk: 'high',
    reasons: [...reasons],
    message: tool,
    diff: shown.diff,
    sha256,
  });
  const awaited = { reviewId, sessionId: session.id, sha256 };
  const decision = await services.humans.wait(awaited, signal);
  recordDecision(services, session, awaited, decision);
  const reason = decision.kind === 'reject' ? decision.reason : '';
  session.emit({
    type: 'review.decided',
    review_id: reviewId,
    decision: decision.kind === 'approve' ? 'approved' : 'rejected',
    by: 'human',
    ...(reason === '' ? {} : { reason }),
    ...(decision.kind === 'approve' ? { signature: decision.signature } : {}),
  });
  return decision.kind === 'approve' ? { kind: 'approved' } : { kind: 'rejected', reason };
}
