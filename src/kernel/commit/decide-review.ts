import type { PendingReview } from '../../contracts/session/session-facts.ts';
import { messageOf } from '../../lib/text/message-of.ts';
import { record } from '../record/audit-trail.ts';
import { move } from '../record/fire-event.ts';
import type { HumanDecision } from '../review/human-decisions.ts';
import { testsCanFollow } from '../review/tests-can-follow.ts';
import type { CommitResult, SessionContext, SessionWork } from '../services.ts';
import { settleMerge } from './merge/settle-merge.ts';
import type { ReviewResult } from './review-result.ts';
import { writeEdits } from './write-edits.ts';

type Approval =
  { readonly by: 'policy' } | { readonly by: 'human'; readonly signature: string; readonly publicKey: string };

/** Applies a person's decision about a waiting review, whether or not a run waits for it. */
export async function decide(
  context: SessionContext,
  review: PendingReview,
  decision: HumanDecision,
): Promise<ReviewResult> {
  if (decision.kind === 'approve') {
    const { signature, publicKey } = decision;
    const { result, paths } = await mergeApproved(context, review, { by: 'human', signature, publicKey });
    return settleMerge(context, result, paths);
  }
  const { services, session } = context;
  const requestsTests = decision.tests === true && testsCanFollow(session);
  record(services, session, 'merge_rejected', {
    caller: 'user',
    policy_decision: 'denied',
    deny_reason: decision.reason,
    metadata: { review_id: review.review_id, sha256: review.sha256 },
  });
  session.update({ review: null, prepared: null, commit_message: null, green: null, sent_back: true });
  session.emit({
    type: 'review.decided',
    review_id: review.review_id,
    decision: 'rejected',
    by: 'human',
    reason: decision.reason,
    ...(decision.edits === undefined ? {} : { edited: true }),
    ...(requestsTests ? { tests: true } : {}),
  });
  const { edits, reason } = decision;
  if (requestsTests) {
    move(services, session, 'tests_requested', reason);
    return { kind: 'continue', message: testsRequested(reason) };
  }
  move(services, session, 'merge_rejected', reason);
  if (edits !== undefined) return { kind: 'continue', message: await writeEdits(context, { edits, reason }) };
  return {
    kind: 'continue',
    message: `The change was rejected at review: ${decision.reason}\nThe state is ${session.state} again. Fix it and run the tests.`,
  };
}

function testsRequested(what: string): string {
  const wanted = what.trim() === '' ? '' : `: ${what}`;
  return `The user wants tests before this change is merged${wanted}\nThe change stays as it is, and only tests can be written now. Write tests that check what it does, then run test.run.`;
}

/** Records an approval and merges. `paths`: the paths that the commit changes. */
export async function mergeApproved(
  context: SessionWork,
  review: PendingReview,
  approval: Approval,
): Promise<{ readonly result: CommitResult; readonly paths: readonly string[] }> {
  const { services, session, workspace } = context;
  recordApproval(context, review, approval);
  move(services, session, 'merge_approved', approval.by);
  const paths = (await workspace.changes()).map((change) => change.path);
  record(services, session, 'merge_intent', {
    input_summary: review.message,
    metadata: { review_id: review.review_id },
  });
  const decision = {
    reviewId: review.review_id,
    sha256: review.sha256,
    message: review.message,
    base: review.base,
    ...approval,
  };
  const result = await services.commits.merge(session, decision).catch((error: unknown): CommitResult => ({
    kind: 'failed',
    reason: messageOf(error),
  }));
  return { result, paths };
}

function recordApproval({ services, session }: SessionWork, review: PendingReview, approval: Approval): void {
  record(services, session, 'merge_approved', {
    caller: approval.by === 'human' ? 'user' : 'kernel',
    metadata: {
      review_id: review.review_id,
      sha256: review.sha256,
      by: approval.by,
      ...(approval.by === 'human' ? { signature: approval.signature, public_key: approval.publicKey } : {}),
    },
  });
  session.emit({
    type: 'review.decided',
    review_id: review.review_id,
    decision: 'approved',
    by: approval.by,
    ...(approval.by === 'human' ? { signature: approval.signature } : {}),
  });
}
