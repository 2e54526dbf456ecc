import type { Session } from '../session/session.ts';
import { record } from '../record/audit-trail.ts';
import type { AwaitedReview, HumanDecision } from './human-decisions.ts';
import type { Services } from '../services.ts';

/**
 * Records a person's decision about something other than a merge: on disk, with its signature, before it has any
 * effect.
 */
export function recordDecision(
  services: Services,
  session: Session,
  review: AwaitedReview,
  decision: HumanDecision,
): void {
  const { reviewId, sha256 } = review;
  const approved = decision.kind === 'approve';
  record(services, session, 'syscall', {
    caller: 'user',
    policy_decision: approved ? 'allowed' : 'denied',
    input_summary: `review ${reviewId}`,
    ...(approved ? {} : { deny_reason: decision.reason }),
    metadata: {
      review_id: reviewId,
      sha256,
      ...(approved ? { signature: decision.signature, public_key: decision.publicKey } : {}),
    },
  });
}
