import { FluffyError } from '../../contracts/fluffy-error.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import type { SessionId } from '../../contracts/ids.ts';
import type { EventBody, FluffyEvent } from '../../contracts/events.ts';
import type { ModelMessage } from '../../contracts/model.ts';
import type { PendingReview } from '../../contracts/session-facts.ts';
import type { SessionStore } from '../../contracts/ports/session-store.ts';
import type { RequestParams, RequestResult, SessionOptions } from '../../contracts/session-protocol.ts';
import { TOOLS } from '../../contracts/tools.ts';
import { verifyApproval } from '../../lib/review-digest.ts';
import { flowOf, move } from '../record/fire-event.ts';
import type { HumanDecision } from '../review/human-decisions.ts';
import { decide } from '../commit/decide-review.ts';
import { undoLast } from '../commit/undo-last.ts';
import type { Services } from '../services.ts';
import { finish, kernelFailed } from '../run/end-run.ts';
import { runSession } from '../run/run-session.ts';
import { Session } from '../session/session.ts';
import { addUserMessage, isTaken, queueUserMessage } from '../session/user-messages.ts';
import { forNextTask, newSnapshot } from '../session/snapshot.ts';
import { lastDecidedState } from '../workflow/transition.ts';
import { changeMode, modeAtStart } from './change-mode.ts';
import { describeSession } from './describe-session.ts';
import { approvalInvalid, reviewNotFound } from './review-refusals.ts';

interface Live {
  readonly session: Session;
  run: { readonly controller: AbortController; readonly ended: Promise<void> } | null;
  /** A decision is being carried through outside of any run: nothing else may touch the session meanwhile. */
  deciding: Promise<void> | null;
}

/** The sessions of this kernel: made, found again, run, interrupted, decided. At most one run a session. */
export class SessionManager {
  readonly #services: Services;
  readonly #store: SessionStore;
  readonly #live = new Map<string, Live>();
  /** Told of a run that failed in a way nobody foresaw. */
  readonly #onFault: (error: unknown) => void;

  constructor(services: Services, store: SessionStore, onFault: (error: unknown) => void) {
    this.#services = services;
    this.#store = store;
    this.#onFault = onFault;
  }

  get activeRuns(): number {
    return [...this.#live.values()].filter((live) => live.run !== null).length;
  }

  async start(options: SessionOptions): Promise<SessionId> {
    const { clock, random } = this.#services;
    const id = random.id('s', 20) as SessionId;
    const mode = await modeAtStart(this.#services, options.mode);
    const nowMs = clock.nowMs();
    const snapshot = newSnapshot(options, nowMs);
    const row = {
      id,
      title: '',
      created_ms: nowMs,
      updated_ms: nowMs,
      state: 'idle' as const,
      mode: mode.mode,
      status: 'active' as const,
      commits: [],
    };
    this.#store.insert(row, snapshot);
    const session = new Session({ row, snapshot, messages: [], lastSeq: 0, store: this.#store, clock });
    this.#live.set(id, { session, run: null, deciding: null });
    if (mode.refused !== null) this.#onModeRefused(session, mode.refused);
    return id;
  }

  /** The session's live form, from the store if need be. Throws FluffyError `session_not_found`. */
  get(id: string): Session {
    return this.#find(id).session;
  }

  async resume(params: RequestParams<'session.resume'>): Promise<SessionId> {
    const id = params.session_id === 'latest' ? this.#store.newest()?.id : params.session_id;
    if (id === undefined) throw notFound('latest');
    const live = this.#find(id);
    const { session } = params.fork ? await this.#fork(live.session, params.options) : live;
    if (!params.fork && live.run === null) session.update({ options: { ...params.options, mode: session.mode } });
    if (!params.fork) session.passOver(params.after_seq);
    return session.id;
  }

  /** After resuming: a run that a dying kernel left behind goes on by itself. */
  continueIfCut(id: SessionId): void {
    const live = this.#find(id);
    if (live.run !== null || live.deciding !== null || !live.session.snapshot.running) return;
    this.#comeBack(live.session);
    this.#run(live);
  }

  /** Tells every session that somebody follows, or that is at work, without having asked for it. */
  tell(notice: Extract<EventBody, { type: 'notice' }>): void {
    for (const { session, run } of this.#live.values()) if (run !== null || session.followed) session.emit(notice);
  }

  announce(session: Session): void {
    session.emit({
      type: 'session.started',
      project: this.#services.options.project_root,
      mode: session.mode,
      model: session.snapshot.options.model,
      tools: TOOLS.map((tool) => tool.name),
      policy_hash: this.#services.policy().hash,
      images: this.#services.options.images,
    });
  }

  /** Starts a run with the message. One that comes during a run joins it; one that comes while a run is being ended waits for that. */
  async message({ session_id, ...message }: RequestParams<'session.message'>): Promise<void> {
    const live = this.#find(session_id);
    const { session } = live;
    await live.deciding;
    while (live.run?.controller.signal.aborted === true) await live.run.ended;
    if (isTaken(session, message)) return this.continueIfCut(session.id);
    if (live.run !== null) {
      queueUserMessage(session, message);
      return;
    }
    this.#comeBack(session);
    if (session.state === 'idle') {
      session.update(forNextTask(session.snapshot, message.text, this.#services.clock.nowMs()));
      if (session.row.title === '') session.updateRow({ title: titleOf(message.text) });
    }
    // On disk with the message: a kernel that dies before the run has begun finds it to be continued.
    session.update({ running: true, idle_answers: 0, refused: { gate: false, policy: false, review: false } });
    addUserMessage(session, message);
    this.#run(live);
  }

  interrupt(id: string, signal: RequestParams<'session.interrupt'>['signal']): void {
    this.#live.get(id)?.run?.controller.abort(signal);
  }

  async reset(id: string): Promise<void> {
    const live = this.#find(id);
    await live.deciding;
    live.run?.controller.abort('interrupt');
    await live.run?.ended;
    const { session } = live;
    const workspace = await this.#services.workspaces.open(session.id);
    await workspace.reset();
    if (session.state !== 'idle') move(this.#services, session, 'cancelled');
    session.update({ ...forNextTask(session.snapshot, '', this.#services.clock.nowMs()) });
    session.updateRow({ status: 'cancelled' });
    session.save();
  }

  /** Takes the session's last commit back. Nothing else touches the session meanwhile. */
  async undo(id: string): Promise<RequestResult<'session.undo'>> {
    const live = this.#find(id);
    if (live.run !== null || live.deciding !== null) throw busy();
    const undoing = undoLast(this.#services, live.session);
    live.deciding = undoing.then(
      () => undefined,
      () => undefined,
    );
    return undoing.finally(() => {
      live.deciding = null;
    });
  }

  async setMode(id: string, mode: SessionOptions['mode']): Promise<RequestResult<'session.set_mode'>> {
    const live = this.#find(id);
    if (live.run !== null || live.deciding !== null) throw busy();
    return changeMode(this.#services, live.session, mode);
  }

  async describe(id: string, what: RequestParams<'session.describe'>['what']): Promise<string> {
    return describeSession(this.#services, this.#find(id).session, what);
  }

  waitingReview(id: string | null): RequestResult<'review.get'>['review'] {
    if (id !== null) return cardOf(this.#find(id).session);
    for (const row of this.#store.list()) {
      const card = this.#cardIfReadable(row.id);
      if (card !== null) return card;
    }
    return null;
  }

  /** Carries a human's decision through before it answers. Everything is checked before the first wait, so two decisions cannot both pass. */
  async decideReview(params: RequestParams<'review.decide'>): Promise<RequestResult<'review.decide'>> {
    const live = this.#find(params.session_id);
    const { session } = live;
    const human = humanDecision(params.decision);
    switch (this.#services.humans.decide(params.review_id, session.id, human)) {
      case 'mismatch':
        throw approvalInvalid();
      case 'decided':
        if (session.snapshot.review?.review_id !== params.review_id) return { outcome: 'done', message: 'decided' };
        // After a rejection the run goes on, and may come to wait for whoever is being answered here.
        if (human.kind === 'reject') return { outcome: 'rejected', message: 'Rejected; the work goes on.' };
        await live.run?.ended;
        return outcomeOf(session);
      case 'not-waiting':
        break;
    }
    if (live.run !== null || live.deciding !== null) throw busy();
    const { review } = session.snapshot;
    if (review === null || review.review_id !== params.review_id) throw reviewNotFound(params.review_id);
    if (human.kind === 'approve' && human.sha256 !== review.sha256) throw approvalInvalid();
    live.deciding = this.#carryOut(session, review, human).finally(() => {
      live.deciding = null;
    });
    await live.deciding;
    return outcomeOf(session);
  }

  async #carryOut(session: Session, review: PendingReview, human: HumanDecision): Promise<void> {
    const workspace = await this.#services.workspaces.open(session.id);
    const result = await decide({ services: this.#services, session, workspace }, review, human);
    if (result.kind === 'end') {
      await this.#services.anchor();
      finish(this.#services, session, result.end);
      return;
    }
    session.push({ role: 'user', text: result.message });
    session.updateRow({ status: 'active' });
    session.save();
  }

  /** One session that cannot be read must not hide the review of another. */
  #cardIfReadable(id: string): RequestResult<'review.get'>['review'] {
    try {
      return cardOf(this.#find(id).session);
    } catch (error) {
      this.#onFault(error);
      return null;
    }
  }

  async close(): Promise<void> {
    for (const live of this.#live.values()) live.run?.controller.abort('terminate');
    await Promise.all([...this.#live.values()].flatMap((live) => (live.run === null ? [] : [live.run.ended])));
  }

  /** Past events from the store, then live ones, without a gap. Returns how to stop. */
  follow(id: SessionId, afterSeq: number, tell: (event: FluffyEvent) => void): () => void {
    const { session } = this.#find(id);
    session.save();
    for (const event of this.#store.events(id, afterSeq)) tell(event);
    return session.subscribe(tell);
  }

  #run(live: Live): void {
    const controller = new AbortController();
    const ended = runSession(this.#services, live.session, controller.signal)
      .catch((error: unknown) => {
        this.#onFault(error);
        finish(this.#services, live.session, kernelFailed(error));
      })
      .finally(() => {
        live.run = null;
      });
    live.run = { controller, ended };
  }

  #find(id: string): Live {
    const known = this.#live.get(id);
    if (known !== undefined) return known;
    const row = this.#store.get(id);
    const snapshot = this.#store.snapshot(id);
    if (row === null || snapshot === null) throw notFound(id);
    const { clock } = this.#services;
    const session = new Session({
      row,
      snapshot,
      messages: this.#store.messages(id),
      lastSeq: this.#store.lastSeq(id),
      store: this.#store,
      clock,
    });
    const live: Live = { session, run: null, deciding: null };
    this.#live.set(id, live);
    return live;
  }

  async #fork(from: Session, options: SessionOptions): Promise<Live> {
    const id = await this.start(options);
    const live = this.#find(id);
    for (const message of from.messages) live.session.push(message);
    live.session.updateRow({ title: from.row.title });
    live.session.save();
    return live;
  }

  /** Back to the last decided state, with no call left without an answer. */
  #comeBack(session: Session): void {
    const back = lastDecidedState(flowOf(session), session.state);
    if (back !== session.state) {
      const from = session.state;
      session.updateRow({ state: back });
      session.emit({ type: 'state.changed', from, to: back, trigger: 'recovered' });
    }
    const open = openCalls(session.messages);
    if (open !== null) session.push(open);
  }

  #onModeRefused(session: Session, reason: string): void {
    session.emit({
      type: 'notice',
      level: 'warn',
      what: `Mode ${session.snapshot.options.mode} was not entered; the session is strict`,
      why: reason,
      fix: 'Start an interactive session and switch there, where you can approve it',
      code: 'mode_refused',
    });
  }
}

/** Answers for the calls of a last message that never got any: the kernel died in between. */
function openCalls(messages: readonly ModelMessage[]): ModelMessage | null {
  const last = messages.at(-1);
  if (last?.role !== 'assistant' || last.calls.length === 0) return null;
  const content =
    'cancelled: the kernel was restarted while this call was under way. Look at the state of things, then repeat it if it is still needed.';
  return { role: 'tool', results: last.calls.map(({ call_id }) => ({ call_id, ok: false, content })) };
}

function titleOf(text: string): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

function cardOf(session: Session): RequestResult<'review.get'>['review'] {
  const { review } = session.snapshot;
  if (review === null) return null;
  const { requested_ms: _, ...card } = review;
  return { session_id: session.id, ...card };
}

/** Throws FluffyError `approval_invalid` when the signature is not over the digest that it names. */
function humanDecision(decision: RequestParams<'review.decide'>['decision']): HumanDecision {
  if (decision.kind === 'reject') return decision;
  const { sha256, signature, public_key: publicKey } = decision;
  if (!verifyApproval(publicKey, sha256, signature)) throw approvalInvalid();
  return { kind: 'approve', sha256, signature, publicKey };
}

function outcomeOf(session: Session): RequestResult<'review.decide'> {
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
      return { outcome: 'failed', message: 'The change could not be merged; fluffy session show says why.' };
    case 'waiting':
    case 'done':
    case 'cancelled':
    case 'archived':
      return { outcome: 'done', message: `The session is ${status}.` };
  }
}

function notFound(id: string): FluffyError {
  return new FluffyError({
    code: 'session_not_found',
    what: `There is no session ${id}`,
    why: 'No session of that name is kept for this project',
    fix: 'List them with fluffy session list',
    exitCode: EXIT.usage,
  });
}

function busy(): FluffyError {
  return new FluffyError({
    code: 'session_busy',
    what: 'The session is at work',
    why: 'A run is under way in it',
    fix: 'Wait until it ends, or interrupt it',
    exitCode: EXIT.failed,
  });
}
