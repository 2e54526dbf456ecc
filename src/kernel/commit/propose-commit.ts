import type { PendingReview } from '../../contracts/session/session-facts.ts';
import { mergeReview } from '../review/review-facts.ts';
import { move } from '../record/fire-event.ts';
import { record } from '../record/audit-trail.ts';
import { checkCoverage } from '../proof/coverage/check-coverage.ts';
import { proveAgain } from '../proof/prove-again.ts';
import { repeatGreen } from '../proof/repeat-green.ts';
import type { Session } from '../session/session.ts';
import type { PrepareResult, SessionContext } from '../services.ts';
import { decide, mergeApproved } from './decide-review.ts';
import type { ReviewResult } from './review-result.ts';
import { settleMerge } from './merge/settle-merge.ts';

/** The first attempt and two more. */
const MAX_ATTEMPTS = 3;

/** Other sessions commit in the meantime: the branch may move this often during one proposal. */
const MAX_MOVES = 8;

/**
 * In reviewing, with a message: shows the card, lets policy approve or waits for a person, and applies the decision. If
 * the branch has moved since the tests passed, they run again on its new head, and the commit is prepared again. Files
 * that a person has edited in the review are proposed again as soon as their tests pass.
 */
export async function proposeCommit(
  context: SessionContext,
  message: string,
  /** If false, a review that a person has to decide ends the run and stays open. */
  { awaitsPerson }: { readonly awaitsPerson: boolean } = {
    awaitsPerson: context.session.snapshot.options.interactive,
  },
): Promise<ReviewResult> {
  const { session } = context;
  for (let moves = 0; ;) {
    const result = await proposeOn(context, message, awaitsPerson);
    if (result.kind === 'edited') {
      session.push({ role: 'user', text: result.message, author: 'kernel' });
      continue;
    }
    if (result.kind !== 'moved') return result;
    moves += 1;
    if (moves > MAX_MOVES) return backToWork(context, 'the branch keeps moving; run test.run again');
    const why = await proveAgain(context);
    if (why !== null) return backToWork(context, why);
  }
}

type Proposed =
  | ReviewResult
  /** The session works again, on the new head of the branch. */
  | { readonly kind: 'moved' }
  /** The session is in reviewing, with the person's edits. `message` is for the model. */
  | { readonly kind: 'edited'; readonly message: string };

async function proposeOn(context: SessionContext, message: string, awaitsPerson: boolean): Promise<Proposed> {
  const { services, session, signal } = context;
  withdraw(session);
  const stale = await whyStale(context);
  if (stale.kind === 'stale') return sendBack(context, stale.why);
  if (stale.kind === 'moved') return followBranch(context, 'merge_rejected');
  const locked = await checkCoverage(context, stale.head);
  if (locked !== null) {
    session.update({ refused: { ...session.snapshot.refused, gate: true } });
    return sendBack(context, locked);
  }
  const prepared = await prepareAlone(context, message);
  if (prepared.kind === 'refused') {
    const again = await whyStale(context);
    return again.kind === 'moved' ? followBranch(context, 'merge_rejected') : sendBack(context, prepared.reason);
  }
  session.update({ findings: [...new Set([...session.snapshot.findings, ...prepared.findings])] });
  const review = await mergeReview(services, session, context.workspace, stale.head, prepared);
  // From here on the review holds the message. A later message of the model is another proposal.
  session.update({ review, commit_message: null });
  requestReview(context, review);
  if (review.reasons.length > 0) {
    if (!awaitsPerson) return { kind: 'end', end: { kind: 'waiting' } };
    const awaited = { reviewId: review.review_id, sessionId: session.id, sha256: review.sha256 };
    const decision = await services.humans.wait(awaited, signal);
    const decided = await decide(context, review, decision);
    const isEdited = decision.kind === 'reject' && decision.edits !== undefined && session.state === 'reviewing';
    return isEdited && decided.kind === 'continue' ? { ...decided, kind: 'edited' } : decided;
  }
  const { result, paths } = await mergeApproved(context, review, { by: 'policy' });
  if (result.kind !== 'conflict' || (await whyStale(context)).kind !== 'moved')
    return settleMerge(context, result, paths);
  record(services, session, 'merge_rejected', { policy_decision: 'denied', deny_reason: result.reason });
  return followBranch(context, 'commit_failed');
}

function requestReview({ services, session }: SessionContext, review: PendingReview): void {
  record(services, session, 'review_requested', {
    policy_decision: review.reasons.length === 0 ? 'allowed' : 'review_required',
    input_summary: review.message,
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
    ...(review.facts === undefined ? {} : { facts: review.facts }),
  });
}

/** Takes the present head of the branch as the new base, which has no baseline yet, and reports it. */
async function followBranch(
  { services, session }: SessionContext,
  event: 'merge_rejected' | 'commit_failed',
): Promise<{ readonly kind: 'moved' }> {
  const now = await services.commits.base();
  if (now.kind === 'ok') session.update({ base: { branch: now.branch, head: now.head }, baseline: null });
  session.update({ review: null, prepared: null });
  move(services, session, event, 'branch_moved');
  session.emit({
    type: 'notice',
    level: 'info',
    what: 'The branch has a new head; the tests run again on it',
    why: 'another commit was made after the tests passed',
    fix: 'Nothing: the commit is prepared again',
    code: 'branch_moved',
  });
  return { kind: 'moved' };
}

/**
 * Prepares a commit that is green without the user's uncommitted work, because it is composed without it. If there was
 * no uncommitted work at the start, preparing finds out whether there is some now.
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

/**
 * Ends a waiting review before the next one is prepared. From here on nobody can approve the commit that is being
 * replaced.
 */
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

type Staleness =
  | { readonly kind: 'fresh'; readonly head: string }
  /** The branch is the same, but at another commit. */
  | { readonly kind: 'moved' }
  | { readonly kind: 'stale'; readonly why: string };

/** Whether the green run still covers what would be committed now. */
async function whyStale({ services, session, workspace }: SessionContext): Promise<Staleness> {
  const { green, base } = session.snapshot;
  if (green === null || green.staging_digest !== (await workspace.stagingDigest())) {
    return { kind: 'stale', why: 'something has changed since the tests passed; run test.run again' };
  }
  const now = await services.commits.base();
  if (now.kind === 'problem') return { kind: 'stale', why: now.reason };
  if (base === null || now.branch !== base.branch) {
    session.update({ base: { branch: now.branch, head: now.head }, baseline: null });
    return { kind: 'stale', why: `the branch is now ${now.branch}; run test.run again` };
  }
  return now.head === base.head ? { kind: 'fresh', head: now.head } : { kind: 'moved' };
}

/** No commit can be made of the staged changes: the session goes back to work, with the reason. */
function sendBack(context: SessionContext, reason: string): Promise<ReviewResult> {
  move(context.services, context.session, 'merge_rejected', reason);
  return backToWork(context, reason);
}

async function backToWork({ session, workspace }: SessionContext, reason: string): Promise<ReviewResult> {
  const staging_digest = await workspace.stagingDigest();
  session.update({ commit_message: null, green: null, commit_refused: { reason, staging_digest } });
  return { kind: 'continue', message: `No commit could be made: ${reason}\nThe state is ${session.state} again.` };
}
