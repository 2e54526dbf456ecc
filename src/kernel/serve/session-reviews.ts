import type { ProjectPath } from '../../contracts/ids.ts';
import type { SessionStore } from '../../contracts/ports/session-store.ts';
import type { PendingReview } from '../../contracts/session/session-facts.ts';
import type { RequestParams, RequestResult } from '../../contracts/session/session-protocol.ts';
import { decodeUtf8 } from '../../lib/text/decode-utf8.ts';
import { verifyApproval } from '../../lib/review-digest.ts';
import { decide } from '../commit/decide-review.ts';
import { whyNotEditable } from '../commit/why-not-editable.ts';
import { fsDelete } from '../tools/fs-delete.ts';
import { fsWrite } from '../tools/fs-write.ts';
import type { ReviewResult } from '../commit/review-result.ts';
import type { HumanDecision } from '../review/human-decisions.ts';
import { MAX_EDITED_CHARACTERS } from '../../contracts/session/review-requests.ts';
import { endOf, finish } from '../run/end-run.ts';
import { proposeCommit } from '../commit/propose-commit.ts';
import { withCollectedTests } from '../proof/run/collected-tests.ts';
import type { Services, SessionContext } from '../services.ts';
import { MAX_SHOWN_DIFF, firstPart } from '../session/bound-event.ts';
import type { Session } from '../session/session.ts';
import type { SessionRegistry } from './session-registry.ts';
import { approvalInvalid, editRefused, reviewBlocked, reviewNotFound, sessionBusy } from './session-refusals.ts';

type Card = RequestResult<'review.get'>['review'];

export interface SessionReviewsOptions {
  readonly services: Services;
  readonly registry: SessionRegistry;
  readonly store: SessionStore;
  /** Receives the reason why a session cannot be read. */
  readonly onFault: (error: unknown) => void;
}

/** Reviews that wait for a person: shown (in parts if large) and decided. */
export class SessionReviews {
  readonly #options: SessionReviewsOptions;

  constructor(options: SessionReviewsOptions) {
    this.#options = options;
  }

  /** The waiting review of a session, or the newest of all sessions. */
  waiting(id: string | null): Card {
    const { registry, store } = this.#options;
    if (id !== null) return cardOf(registry.find(id).session);
    for (const row of store.list()) {
      const card = this.#cardIfReadable(row.id);
      if (card !== null) return card;
    }
    return null;
  }

  /** The next part of a diff that is too large to be shown at once. Throws FluffyError `review_not_found`. */
  diff({ session_id, review_id, from }: RequestParams<'review.diff'>): string {
    const { review } = this.#options.registry.find(session_id).session.snapshot;
    if (review === null || review.review_id !== review_id) throw reviewNotFound(review_id);
    return review.diff.slice(from, from + MAX_SHOWN_DIFF);
  }

  /** A file of the waiting commit, and whether a person may change it. Throws FluffyError `review_not_found`. */
  async file({ session_id, review_id, path }: RequestParams<'review.file'>): Promise<RequestResult<'review.file'>> {
    const { services, registry } = this.#options;
    const { session } = registry.find(session_id);
    if (session.snapshot.review?.review_id !== review_id) throw reviewNotFound(review_id);
    const closed = await whyNotEditable({ services, session }, path);
    return { text: await this.#textOf(session, path), ...(closed === null ? {} : { closed }) };
  }

  /** The text as it would be committed; null if the file is deleted or cannot be edited by a person. */
  async #textOf(session: Session, path: string): Promise<string | null> {
    const workspace = await this.#options.services.workspaces.open(session.id);
    const changed = (await workspace.changes()).find((change) => change.path === path);
    if (changed?.after.kind !== 'file') return null;
    const read = await workspace.read(changed.path as ProjectPath, MAX_EDITED_CHARACTERS);
    return read.kind === 'file' && !read.bytes.includes(0) ? decodeUtf8(read.bytes) : null;
  }

  /** Like `waiting`, with what prevents its merge now. */
  async shown(id: string | null): Promise<Card> {
    const card = this.waiting(id);
    if (card?.kind !== 'merge') return card;
    const obstacle = await this.#obstacle(this.#options.registry.find(card.session_id).session);
    return obstacle === null ? card : { ...card, obstacle };
  }

  /**
   * Applies a person's decision before it answers. An approval that cannot be merged now is refused, and the review
   * keeps waiting. After that everything is checked without an await, so two decisions cannot both pass.
   */
  async decide(params: RequestParams<'review.decide'>): Promise<RequestResult<'review.decide'>> {
    const { services, registry } = this.#options;
    const live = registry.find(params.session_id);
    const { session } = live;
    const human = humanDecision(params.decision);
    if (session.snapshot.review?.review_id === params.review_id) await this.#refuseClosed(session, human);
    if (live.run !== null) await this.#refuseBlocked(session, human);
    switch (services.humans.decide(params.review_id, session.id, human)) {
      case 'mismatch':
        throw approvalInvalid();
      case 'decided':
        if (session.snapshot.review?.review_id !== params.review_id) return { outcome: 'done', message: 'decided' };
        // After a rejection the run continues and may wait for the person who waits for this answer, so the run is not
        // awaited.
        if (human.kind === 'reject') return { outcome: 'rejected', message: 'Rejected; the work continues.' };
        await live.run?.ended;
        return outcomeOf(session);
      case 'not-waiting':
        break;
    }
    if (live.run !== null || live.deciding !== null) throw sessionBusy();
    const { review } = session.snapshot;
    if (review === null || review.review_id !== params.review_id) throw reviewNotFound(params.review_id);
    if (human.kind === 'approve' && human.sha256 !== review.sha256) throw approvalInvalid();
    const controller = new AbortController();
    const carried = this.#carryThrough(session, review, human, controller.signal).finally(() => {
      live.deciding = null;
      live.run = null;
    });
    const ended = carried.then(
      () => undefined,
      () => undefined,
    );
    live.deciding = ended;
    // The tests of an edit can be interrupted; a merge cannot.
    if (hasEdits(human)) live.run = { controller, ended };
    const result = await carried;
    const failed = result.kind === 'end' && result.end.kind === 'merge-failed' ? result.end.reason : undefined;
    return outcomeOf(session, failed);
  }

  /** Throws FluffyError `review_blocked` before an approval is recorded. */
  async #refuseBlocked(session: Session, human: HumanDecision): Promise<void> {
    const obstacle = human.kind === 'approve' ? await this.#obstacle(session) : null;
    if (obstacle !== null) throw reviewBlocked(obstacle, session.id);
  }

  /**
   * Throws FluffyError `edit_refused` before the rejection is recorded: either every file can be staged, or none is.
   */
  async #refuseClosed(session: Session, human: HumanDecision): Promise<void> {
    for (const { path, text } of (human.kind === 'reject' ? human.edits : undefined) ?? []) {
      const change =
        text === null ? { sizeBytes: 0, tool: fsDelete } : { sizeBytes: Buffer.byteLength(text), tool: fsWrite };
      const why = await whyNotEditable({ services: this.#options.services, session }, path, change);
      if (why !== null) throw editRefused(why);
    }
  }

  /** A review without a prepared merge has no obstacle. */
  async #obstacle(session: Session): Promise<string | null> {
    if (session.snapshot.review?.kind !== 'merge' || session.snapshot.prepared === null) return null;
    return this.#options.services.commits.obstacle(session);
  }

  async #carryThrough(
    session: Session,
    review: PendingReview,
    human: HumanDecision,
    signal: AbortSignal,
  ): Promise<ReviewResult> {
    await this.#refuseBlocked(session, human);
    const services = withCollectedTests(this.#options.services, session);
    const workspace = await services.workspaces.open(session.id);
    const context = { services, session, workspace, signal };
    // The time of the run that requested the review was reported at its end.
    session.beginRun();
    const decided = await decide(context, review, human);
    const result = hasEdits(human) ? await proposeEdited(context, decided, review.message) : decided;
    if (result.kind === 'end') {
      await services.anchor();
      finish(services, session, result.end);
      return result;
    }
    session.push({ role: 'user', text: result.message });
    session.updateRow({ status: 'active' });
    session.save();
    return result;
  }

  /** A session that cannot be read must not hide the review of another. */
  #cardIfReadable(id: string): Card {
    try {
      return cardOf(this.#options.registry.find(id).session);
    } catch (error) {
      this.#options.onFault(error);
      return null;
    }
  }
}

function hasEdits(human: HumanDecision): boolean {
  return human.kind === 'reject' && human.edits !== undefined;
}

/**
 * As in a run: an edit that passes its tests becomes a review again, without a message of the model. A failing edit is
 * left to the model.
 */
async function proposeEdited(context: SessionContext, decided: ReviewResult, message: string): Promise<ReviewResult> {
  const { session, signal } = context;
  if (signal.aborted) return { kind: 'end', end: endOf(signal.reason, signal) };
  if (decided.kind === 'end' || session.state !== 'reviewing') return decided;
  session.push({ role: 'user', text: decided.message, author: 'kernel' });
  return proposeCommit(context, message, { awaitsPerson: false });
}

function cardOf(session: Session): Card {
  const { review } = session.snapshot;
  if (review === null) return null;
  const { requested_ms: _, ...card } = review;
  const diff = firstPart(review.diff);
  const length = diff.length < review.diff.length ? { diff_characters: review.diff.length } : {};
  return { session_id: session.id, ...card, diff, ...length };
}

/** Throws FluffyError `approval_invalid` if the signature does not cover the digest. */
function humanDecision(decision: RequestParams<'review.decide'>['decision']): HumanDecision {
  if (decision.kind === 'reject') return decision;
  const { sha256, signature, public_key: publicKey } = decision;
  if (!verifyApproval(publicKey, sha256, signature)) throw approvalInvalid();
  return { kind: 'approve', sha256, signature, publicKey };
}

function outcomeOf(
  session: Session,
  failed = 'The change could not be merged; fluffy session show says why.',
): RequestResult<'review.decide'> {
  const { status, commits } = session.row;
  const commit = commits.at(-1);
  switch (status) {
    case 'committed':
      return {
        outcome: 'committed',
        ...(commit === undefined ? {} : { commit }),
        message: `Committed ${commit ?? ''}`.trim(),
      };
    case 'active':
      return {
        outcome: 'rejected',
        message: `Rejected; the session is in ${session.state} again. Resume it with fluffy --resume ${session.id}.`,
      };
    case 'failed':
      return { outcome: 'failed', message: failed };
    case 'waiting':
    case 'done':
    case 'cancelled':
    case 'archived':
      return { outcome: 'done', message: `The session is ${status}.` };
  }
}
