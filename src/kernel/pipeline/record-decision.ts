import type { Session } from '../session/session.ts';
import { record } from './audit-trail.ts';
import type { AwaitedReview, HumanDecision } from './human-decisions.ts';
import type { World } from './world.ts';

/** A human's word on something other than a merge, on disk with its signature before it has any effect. */
export function recordDecision(world: World, session: Session, review: AwaitedReview, decision: HumanDecision): void {
  const { reviewId, sha256 } = review;
  const approved = decision.kind === 'approve';
  record(world, session, 'syscall', {
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
