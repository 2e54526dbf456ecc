import { mergeReview } from '../review/review-facts.ts';
import { move } from '../record/fire-event.ts';
import { record } from '../record/audit-trail.ts';
import { repeatGreen } from '../proof/repeat-green.ts';
import type { Session } from '../session/session.ts';
import type { PrepareResult, SessionContext } from '../services.ts';
import { carryThrough, decide } from './decide-review.ts';
import type { ReviewResult } from './review-result.ts';

/** The first attempt and two more. */
const MAX_ATTEMPTS = 3;

/** In reviewing, with a message: shows the card, lets policy approve or waits for a human, and carries the decision through. */
export async function proposeCommit(context: SessionContext, message: string): Promise<ReviewResult> {
  const { services, session, signal } = context;
  withdraw(session);
  const stale = await whyStale(context);
  if (stale !== null) return sendBack(context, stale);
  const { base } = session.snapshot;
  if (base === null) throw new Error('a review without a base commit');
  const prepared = await prepareAlone(context, message);
  if (prepared.kind === 'refused') return sendBack(context, prepared.reason);
  session.update({ findings: [...session.snapshot.findings, ...prepared.findings] });
  const review = await mergeReview(services, session, context.workspace, base.head, prepared);
  session.update({ review, commit_message: message });
  record(services, session, 'review_requested', {
    policy_decision: review.reasons.length === 0 ? 'allowed' : 'review_required',
    input_summary: message,
    metadata: { review_id: review.review_id, sha256: review.sha256, risk: review.risk },
  });
  session.emit({
    type: 'review.requested',
    review_id: review.review_id,
    kind: review.kind,
    risk: review.risk,
    reasons: review.reasons,
    message: review.message,
    diff: review.diff,
    sha256: review.sha256,
  });
  if (review.reasons.length === 0) return carryThrough(context, review, { by: 'policy' });
  if (!session.snapshot.options.interactive) return { kind: 'end', end: { kind: 'waiting' } };
  const awaited = { reviewId: review.review_id, sessionId: session.id, sha256: review.sha256 };
  return decide(context, review, await services.humans.wait(awaited, signal));
}

/**
 * Prepares what is green by itself: without the user's uncommitted work, as that is when the commit is composed. Where there was none at the start,
 * preparing finds out whether there is some by now.
 */
async function prepareAlone(
  context: SessionContext,
  message: string,
): Promise<Exclude<PrepareResult, { kind: 'moved' }>> {
  const { services, session, workspace, signal } = context;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    if (attempt > 1 || session.snapshot.dirty_at_start?.length !== 0) {
      const reason = await repeatGreen(context);
      if (reason !== null) return { kind: 'refused', reason };
    }
    const prepared = await services.commits.prepare(session, workspace, message, signal);
    if (prepared.kind !== 'moved') return prepared;
  }
  return { kind: 'refused', reason: 'the project kept changing while the tests ran; run test.run again' };
}

/** A review that still waits is over before another is made ready: from here on nobody can approve what is being replaced. */
function withdraw(session: Session): void {
  const { review } = session.snapshot;
  session.update({ review: null, prepared: null });
  if (review === null) return;
  session.emit({
    type: 'review.decided',
    review_id: review.review_id,
    decision: 'expired',
    by: 'policy',
    reason: 'replaced by a newer one',
  });
}

/** Why the green run says nothing about what would be committed now, or null. A branch that has moved is taken as the new base. */
async function whyStale({ services, session, workspace }: SessionContext): Promise<string | null> {
  const { green, base } = session.snapshot;
  if (green === null || green.staging_digest !== (await workspace.stagingDigest())) {
    return 'something has changed since the tests passed; run test.run again';
  }
  const now = await services.commits.base();
  if (now.kind === 'problem') return now.reason;
  if (base !== null && now.head === base.head && now.branch === base.branch) return null;
  session.update({ base: { branch: now.branch, head: now.head } });
  return 'the branch has moved since this task began; run test.run again, on what it is now';
}

/** No commit can be made of what is staged: back to work, with the reason. */
function sendBack({ services, session }: SessionContext, reason: string): ReviewResult {
  session.update({ commit_message: null, green: null });
  move(services, session, 'merge_rejected', reason);
  return { kind: 'continue', message: `No commit could be made: ${reason}\nThe state is ${session.state} again.` };
}
