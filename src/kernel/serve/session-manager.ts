import type { SessionId } from '../../contracts/ids.ts';
import type { ModelChoice } from '../../contracts/model/model-choice.ts';
import { providerOf } from '../../contracts/model/model-choice.ts';
import type { FluffyError } from '../../contracts/fluffy-error.ts';
import type { FluffyEvent } from '../../contracts/session/events.ts';
import type { SessionStore } from '../../contracts/ports/session-store.ts';
import type { RequestParams, RequestResult, SessionOptions } from '../../contracts/session/session-protocol.ts';
import { commandNote } from '../context/command-note.ts';
import { redoLast } from '../commit/undo/redo-last.ts';
import { undoLast } from '../commit/undo/undo-last.ts';
import { finish, kernelFailed } from '../run/end-run.ts';
import { STANDBY_IDLE_MS, runSession } from '../run/run-session.ts';
import type { Services } from '../services.ts';
import type { Notice } from '../start/start-notices.ts';
import type { Session } from '../session/session.ts';
import { forNextTask } from '../session/snapshot.ts';
import {
  addUserMessage,
  deliverQueued,
  isTaken,
  queueUserMessage,
  takeQueued,
  unreadMessages,
} from '../session/user-messages.ts';
import { bringBack, putAway } from '../session/archived-session.ts';
import { attachImages } from './attach-images.ts';
import { changeMode, modeAtStart } from './change-mode.ts';
import { changeModel, optionsAtResume } from './change-model.ts';
import { comeBack } from './come-back.ts';
import { describeSession } from './describe-session.ts';
import { dropTask } from './drop-task.ts';
import { copySession } from './fork-session.ts';
import { noteForUser } from './note-for-user.ts';
import { runForUser } from './run-for-user.ts';
import { reportIgnoredOptions } from './ignored-options.ts';
import { reportModeRefused, reportStarted } from './session-notices.ts';
import { isEnding, SessionRegistry } from './session-registry.ts';
import type { LiveSession } from './session-registry.ts';
import { SessionReviews } from './session-reviews.ts';
import { showCall } from './show-call.ts';
import { sessionBusy, sessionNotFound } from './session-refusals.ts';
import { titleOf } from '../session/title.ts';
import { taskOf } from './task-words.ts';

/** The sessions of this kernel: created, loaded, run, interrupted. At most one run per session. */
export class SessionManager {
  readonly reviews: SessionReviews;
  readonly #services: Services;
  readonly #store: SessionStore;
  readonly #registry: SessionRegistry;
  readonly #startNotices: Notice[];
  readonly #refuseAll: FluffyError | null;
  /** Receives unforeseen exceptions of runs. */
  readonly #onFault: (error: unknown) => void;

  /** `startNotices` are shown in each session that is started or resumed. `refuseAll`: why no session may be started. */
  constructor(
    services: Services,
    store: SessionStore,
    onFault: (error: unknown) => void,
    startNotices: readonly Notice[] = [],
    refuseAll: FluffyError | null = null,
  ) {
    this.#startNotices = [...startNotices];
    this.#refuseAll = refuseAll;
    this.#services = services;
    this.#store = store;
    this.#onFault = onFault;
    this.#registry = new SessionRegistry(services, store);
    this.reviews = new SessionReviews({ services, registry: this.#registry, store, onFault });
  }

  get activeRuns(): number {
    return this.#registry.all().filter((live) => live.run !== null).length;
  }

  /** Throws FluffyError `database_lost`. */
  async start(options: SessionOptions): Promise<SessionId> {
    if (this.#refuseAll !== null) throw this.#refuseAll;
    const { mode, refused } = await modeAtStart(this.#services, options.mode);
    const { session } = this.#registry.create(options, mode);
    if (refused !== null) reportModeRefused(session, refused);
    return session.id;
  }

  /** The session, loaded from the store if necessary. Throws FluffyError `session_not_found`. */
  get(id: string): Session {
    return this.#registry.find(id).session;
  }

  async resume(params: RequestParams<'session.resume'>): Promise<SessionId> {
    const id = params.session_id === 'latest' ? this.#store.newest()?.id : params.session_id;
    if (id === undefined) throw sessionNotFound('latest');
    const { session, run } = this.#registry.find(id);
    if (params.fork) {
      const forked = this.get(await this.start({ ...optionsAtResume(session, params), mode: params.options.mode }));
      await copySession(this.#services, session, forked, params.without_last ?? 0);
      return forked.id;
    }
    bringBack(session);
    const options = optionsAtResume(session, params);
    if (run === null) session.update({ options });
    else reportIgnoredOptions(session, options);
    session.passOver(params.after_seq);
    return session.id;
  }

  /** Called after resuming: a run that was interrupted by a dying kernel continues. */
  continueIfCut(id: SessionId): void {
    const live = this.#registry.find(id);
    if (live.run !== null || live.deciding !== null) return;
    if (!live.session.snapshot.running) return this.#beginWithUnread(live);
    comeBack(live.session);
    this.#run(live);
  }

  /** Shows a notice in every session that is followed or running. */
  notify(notice: Notice): void {
    for (const { session, run } of this.#registry.all()) if (run !== null || session.followed) session.emit(notice);
  }

  /** The same, and in each session that is started or resumed from now on. */
  notifyAlways(notice: Notice): void {
    this.#startNotices.push(notice);
    this.notify(notice);
  }

  announce(session: Session): void {
    reportStarted(this.#services, session, this.#startNotices);
  }

  /** Starts a run with the message. A message during a run joins it; a message while a run ends waits for the end. */
  async message({ session_id, images: given, commands, ...said }: RequestParams<'session.message'>): Promise<void> {
    const live = this.#registry.find(session_id);
    const { session } = live;
    if (isTaken(session, said)) return this.continueIfCut(session.id);
    const message = {
      ...said,
      images: await attachImages(this.#services, session, { text: said.text, images: given }),
      note: commands?.map(commandNote).join('\n\n'),
    };
    await live.deciding;
    while (live.run !== null && isEnding(live, live.run)) await live.run.ended;
    if (isTaken(session, message)) return this.continueIfCut(session.id);
    if (live.run !== null) {
      queueUserMessage(session, message);
      return;
    }
    this.#begin(live, taskOf(said.text, commands), () => {
      addUserMessage(session, message);
    });
  }

  /** Takes back the messages that the current run has not read, and returns them to their sender. */
  takeUnread(id: string): string[] {
    const { session, run } = this.#registry.find(id);
    return run === null ? [] : takeQueued(session);
  }

  interrupt(id: string, signal: RequestParams<'session.interrupt'>['signal']): void {
    this.#registry.find(id).run?.controller.abort(signal);
  }

  async reset(id: string): Promise<void> {
    const live = this.#registry.find(id);
    await live.deciding;
    live.run?.controller.abort('interrupt');
    await live.run?.ended;
    const { session } = live;
    await (await this.#services.workspaces.open(session.id)).reset();
    session.updateRow({ status: 'cancelled' });
    dropTask(this.#services, session);
  }

  /** Runs a command of the user. A message that arrives meanwhile waits for its end. Throws FluffyError `session_not_found`, `session_busy`. */
  async runForUser(id: string, script: string): Promise<void> {
    const running = this.#registry.occupy(id, (session, signal) => runForUser(this.#services, session, script, signal));
    this.#services.sandboxes.cool(this.get(id).id, STANDBY_IDLE_MS);
    await running;
  }

  /** Adds a note of the user to the project's memory file. Throws FluffyError `session_not_found`, `session_busy`. */
  note(id: string, text: string): Promise<RequestResult<'session.note'>> {
    return this.#registry.occupy(id, (session, signal) => noteForUser(this.#services, session, text, signal));
  }

  /** Prepares the sandboxes that the next message needs, for the time that they would stay ready after a run. */
  warm(id: string): void {
    const { session, run } = this.#registry.find(id);
    if (run !== null) return;
    const { sandboxes } = this.#services;
    sandboxes.warm(session.id, providerOf(session.snapshot.options.model));
    sandboxes.cool(session.id, STANDBY_IDLE_MS);
  }

  /** Takes a session out of the list, or puts it back with `undo`. Throws FluffyError `session_not_found`, `session_busy`. */
  archive(id: string, { undo = false } = {}): void {
    const { session } = this.#registry.findIdle(id);
    (undo ? bringBack : putAway)(session);
    session.save(session.row.updated_ms);
    if (!session.followed) this.#registry.drop(id);
  }

  /**
   * Removes a session and its staged changes, and returns true. With `keepStaged`, a session that has staged changes is
   * kept, and the result is false. Throws FluffyError `session_not_found`, `session_busy`.
   */
  async remove(id: string, { keepStaged = false } = {}): Promise<boolean> {
    if (this.#registry.findIdle(id).session.followed) throw sessionBusy();
    const { workspaces } = this.#services;
    return this.#registry.hold(id, async (session) => {
      if (keepStaged && (await (await workspaces.open(session.id)).diff()) !== '') return false;
      await workspaces.remove(session.id);
      this.#store.remove(id);
      this.#registry.drop(id);
      return true;
    });
  }

  /** Undoes the session's last commit. Nothing else touches the session meanwhile. */
  async undo(id: string): Promise<RequestResult<'session.undo'>> {
    return this.#registry.hold(id, (session) => undoLast(this.#services, session));
  }

  /** Makes the last undone commit again. Nothing else touches the session in the meantime. */
  async redo(id: string): Promise<RequestResult<'session.redo'>> {
    return this.#registry.hold(id, (session) => redoLast(this.#services, session));
  }

  async setMode(id: string, mode: SessionOptions['mode']): Promise<RequestResult<'session.set_mode'>> {
    return changeMode(this.#services, this.#registry.findIdle(id).session, mode);
  }

  async setModel(id: string, choice: ModelChoice): Promise<RequestResult<'session.set_model'>> {
    return changeModel(this.#services, this.get(id), choice);
  }

  async describe(id: string, what: RequestParams<'session.describe'>['what']): Promise<string> {
    return describeSession(this.#services, this.get(id), what);
  }

  call(params: RequestParams<'session.call'>): RequestResult<'session.call'> {
    return showCall(this.#services, this.get(params.session_id), params);
  }

  async close(): Promise<void> {
    const runs = this.#registry.all().flatMap(({ run }) => (run === null ? [] : [run]));
    for (const { controller } of runs) controller.abort('terminate');
    await Promise.all(runs.map(({ ended }) => ended));
  }

  /** Shows past events from the store, then live ones, without a gap. Returns a function that stops it. */
  follow(id: SessionId, afterSeq: number, show: (event: FluffyEvent) => void): () => void {
    const session = this.get(id);
    session.save();
    for (const event of this.#store.events(id, afterSeq)) show(event);
    return session.subscribe(show);
  }

  /** `say` adds the message to the conversation. */
  #begin(live: LiveSession, task: string, say: () => void): void {
    const { session } = live;
    comeBack(session);
    if (session.state === 'idle') {
      session.update(forNextTask(session.snapshot, task, this.#services.clock.nowMs()));
      if (session.row.title === '') session.updateRow({ title: titleOf(task) });
    }
    // Written together with the message: if the kernel dies before the run has begun, the next kernel continues it.
    session.update({ running: true, idle_answers: 0, refused: { gate: false, policy: false, review: false } });
    say();
    this.#run(live);
  }

  /** Messages that arrived while a change was proved, reviewed and merged are the next task. */
  #beginWithUnread(live: LiveSession): void {
    const [first] = unreadMessages(live.session);
    if (first !== undefined) this.#begin(live, first.text, () => deliverQueued(live.session));
  }

  #run(live: LiveSession): void {
    const { session } = live;
    const controller = new AbortController();
    const ended = runSession(this.#services, session, controller.signal)
      .catch((error: unknown) => {
        this.#onFault(error);
        finish(this.#services, session, kernelFailed(error));
      })
      // The end could not be written either. Nobody must wait for it for ever, and the other sessions continue.
      .catch((error: unknown) => {
        this.#onFault(error);
        session.showLost(error);
      })
      .then(() => {
        live.run = null;
        if (!controller.signal.aborted && live.deciding === null) this.#beginWithUnread(live);
      })
      .catch(this.#onFault);
    live.run = { controller, ended };
  }
}
