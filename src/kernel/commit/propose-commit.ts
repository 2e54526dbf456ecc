import type { Workspace } from '../../contracts/ports/workspace.ts';
import type { RunEnd } from '../session/run-end.ts';
import type { Session } from '../session/session.ts';
import type { PendingReview } from '../../contracts/session-facts.ts';
import { record } from '../record/audit-trail.ts';
import type { HumanDecision } from '../review/human-decisions.ts';
import { move } from '../record/fire-event.ts';
import { mergeReview } from '../review/review-facts.ts';
import { repeatGreen } from '../proof/repeat-green.ts';
import type { CommitResult, PrepareResult, Services } from '../services.ts';

/** The first attempt and two more. */
const MAX_ATTEMPTS = 3;

/** What a review led to: the run ends, or goes on with something to tell the model. */
export type ReviewResult =
  { readonly kind: 'end'; readonly end: RunEnd } | { readonly kind: 'continue'; readonly tell: string };

/** In reviewing, with a message: shows the card, lets policy approve or waits for a human, and carries the decision through. */
export async function proposeCommit(
  services: Services,
  session: Session,
  workspace: Workspace,
  message: string,
  signal: AbortSignal,
): Promise<ReviewResult> {
  withdraw(session);
  const stale = await whyStale(services, session, workspace);
  if (stale !== null) return sendBack(services, session, stale);
  const { base } = session.snapshot;
  if (base === null) throw new Error('a review without a base commit');
  const prepared = await prepareAlone(services, session, workspace, message, signal);
  if (prepared.kind === 'refused') return sendBack(services, session, prepared.reason);
  session.update({ findings: [...session.snapshot.findings, ...prepared.findings] });
  const review = await mergeReview(services, session, workspace, base.head, prepared);
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
  if (review.reasons.length === 0) return carryThrough(services, session, workspace, review, { by: 'policy' });
  if (!session.snapshot.options.interactive) return { kind: 'end', end: { kind: 'waiting' } };
  const awaited = { reviewId: review.review_id, sessionId: session.id, sha256: review.sha256 };
  const decision = await services.humans.wait(awaited, signal);
  return decide(services, session, workspace, review, decision);
}

/**
 * Prepares what is green by itself: without the user's uncommitted work, as that is when the commit is composed. Where there was none at the start,
 * preparing tells whether there is some by now.
 */
async function prepareAlone(
  services: Services,
  session: Session,
  workspace: Workspace,
  message: string,
  signal: AbortSignal,
): Promise<Exclude<PrepareResult, { kind: 'moved' }>> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    if (attempt > 1 || session.snapshot.dirty_at_start?.length !== 0) {
      const reason = await repeatGreen(services, session, workspace, signal);
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
async function whyStale(services: Services, session: Session, workspace: Workspace): Promise<string | null> {
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

/** A human's decision about a waiting review, whether a run is waiting for it or not. */
export async function decide(
  services: Services,
  session: Session,
  workspace: Workspace,
  review: PendingReview,
  decision: HumanDecision,
): Promise<ReviewResult> {
  if (decision.kind === 'approve') {
    const { signature, publicKey } = decision;
    return carryThrough(services, session, workspace, review, { by: 'human', signature, publicKey });
  }
  record(services, session, 'merge_rejected', {
    caller: 'user',
    policy_decision: 'denied',
    deny_reason: decision.reason,
    metadata: { review_id: review.review_id, sha256: review.sha256 },
  });
  session.update({ review: null, prepared: null, commit_message: null, green: null });
  session.emit({
    type: 'review.decided',
    review_id: review.review_id,
    decision: 'rejected',
    by: 'human',
    reason: decision.reason,
  });
  move(services, session, 'merge_rejected', decision.reason);
  return {
    kind: 'continue',
    tell: `The change was rejected at review: ${decision.reason}\nThe state is ${session.state} again. Mend it and run the tests.`,
  };
}

type Approval =
  { readonly by: 'policy' } | { readonly by: 'human'; readonly signature: string; readonly publicKey: string };

async function carryThrough(
  services: Services,
  session: Session,
  workspace: Workspace,
  review: PendingReview,
  approval: Approval,
): Promise<ReviewResult> {
  const signed = approval.by === 'human' ? { signature: approval.signature, publicKey: approval.publicKey } : {};
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
  move(services, session, 'merge_approved', approval.by);
  const paths = (await workspace.changes()).map((change) => change.path);
  record(services, session, 'merge_intent', {
    input_summary: review.message,
    metadata: { review_id: review.review_id },
  });
  const decision = {
    reviewId: review.review_id,
    by: approval.by,
    sha256: review.sha256,
    message: review.message,
    base: review.base,
    ...signed,
  };
  const result = await services.commits.merge(session, decision).catch((error: unknown): CommitResult => ({
    kind: 'failed',
    reason: error instanceof Error ? error.message : String(error),
  }));
  return settle(services, session, workspace, result, paths);
}

/** No commit can be made of what is staged: back to work, with the reason. */
function sendBack(services: Services, session: Session, reason: string): ReviewResult {
  session.update({ commit_message: null, green: null });
  move(services, session, 'merge_rejected', reason);
  return { kind: 'continue', tell: `No commit could be made: ${reason}\nThe state is ${session.state} again.` };
}

async function settle(
  services: Services,
  session: Session,
  workspace: Workspace,
  result: CommitResult,
  paths: readonly string[],
): Promise<ReviewResult> {
  if (result.kind === 'committed') {
    const subject = session.snapshot.review?.message.split('\n')[0] ?? '';
    await completed(services, session, workspace, result.commit, paths);
    return { kind: 'end', end: { kind: 'committed', commit: result.commit, subject } };
  }
  if (result.kind === 'pending') {
    record(services, session, 'merge_rejected', { policy_decision: 'denied', deny_reason: result.reason });
    return {
      kind: 'end',
      end: {
        kind: 'merge-failed',
        reason: `The merge is not finished: ${result.reason}. The next start of fluffy carries it through or takes it back.`,
      },
    };
  }
  const reason = result.kind === 'conflict' ? `${result.reason} ${result.paths.join(', ')}` : result.reason;
  record(services, session, 'merge_rejected', { policy_decision: 'denied', deny_reason: reason });
  session.update({ review: null, prepared: null, commit_message: null, green: null });
  session.emit({
    type: 'notice',
    level: 'warn',
    what: 'The change was not merged; nothing in the project was written',
    why: reason,
    fix: 'Look at the files named, then resume the session: fluffy --continue',
    code: result.kind === 'conflict' ? 'conflict' : 'merge_failed',
  });
  move(services, session, 'commit_failed', result.kind);
  return { kind: 'end', end: { kind: 'merge-failed', reason: `The change was not merged: ${reason}` } };
}

/** After the merge: the session knows its commit, and nothing is staged any more. Also called when recovery finds a merge that went through. */
export async function completed(
  services: Services,
  session: Session,
  workspace: Workspace,
  commit: string,
  paths: readonly string[],
): Promise<void> {
  record(services, session, 'merge_completed', { output_summary: commit, metadata: { commit } });
  session.updateRow({ commits: [...session.row.commits, commit] });
  session.update({ review: null, files_changed: [...paths] });
  move(services, session, 'commit_completed', commit);
  await workspace.reset();
}
