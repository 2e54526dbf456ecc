import type { FluffyEvent } from '../../contracts/events.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { UserFacingError } from '../../contracts/fluffy-error.ts';
import type { RequestResult, SessionOptions } from '../../contracts/session-protocol.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { completeCommand, parseLine } from '../../tui/commands/parse-line.ts';
import type { EnteredLine } from '../../tui/commands/parse-line.ts';
import type { Choice, SlashCommand } from '../../tui/commands/slash-command.ts';
import type { KeyAction } from '../../tui/keymap/read-keys.ts';
import { LOOK_AGAIN_MS, mayDecide } from '../../tui/store/may-decide.ts';
import { safeLine, safeLines } from '../../tui/store/safe-text.ts';
import type { ViewStore } from '../../tui/store/view-store.ts';
import type { KernelClient } from '../kernel-client/kernel-client.ts';
import type { ShownReview } from '../review/decide-review.ts';
import { slashContext } from './slash-context.ts';

export type SessionKernel = Pick<KernelClient, 'start' | 'resume' | 'request'>;

/** How the program ends: `interrupt` and `terminate` end a run in progress. */
export type Leaving = 'quit' | 'interrupt' | 'terminate';

export interface ConversationParts {
  readonly store: ViewStore;
  readonly options: SessionOptions;
  readonly nowMs: () => number;
  readonly after: (ms: number, callback: () => void) => void;
  /** Signs and sends the person's decision about the shown review. */
  readonly decide: (
    kernel: SessionKernel,
    sessionId: string,
    shown: ShownReview,
    choice: Choice,
  ) => Promise<RequestResult<'review.decide'>>;
  /** Keeps a patch of dropped work on the host. Resolves to its path. */
  readonly keepPatch: (patch: string) => Promise<string>;
  readonly onLeave: (how: Leaving) => void;
}

/** A second Ctrl-C within this time leaves. */
const LEAVE_WITHIN_MS = 2000;

/**
 * Turns typed keys into requests to the kernel, and events of the kernel into the screen. Uses neither terminal nor socket:
 * keys come in through `onKey`, events through `onEvent`.
 */
export class Conversation {
  readonly #parts: ConversationParts;
  #kernel: SessionKernel | null = null;
  #session: Promise<string> | null = null;
  #interruptedAtMs = -Infinity;
  /** A command waits for a yes or no. */
  #question: ((yes: boolean) => void) | null = null;
  /** Past events are being replayed: they start nothing. */
  #replaying = false;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
  }

  /** Called when the kernel is ready: resumes the named session, if any, and sends what was typed meanwhile. */
  async attach(kernel: SessionKernel, resume: { session: string; fork: boolean } | null): Promise<void> {
    this.#kernel = kernel;
    if (resume !== null) {
      this.#replaying = true;
      this.#session = kernel.resume(resume.session, resume.fork, this.#parts.options, 0);
      await this.#session.finally(() => {
        this.#replaying = false;
      });
    }
    this.onKernelReady();
    this.#sendQueued();
  }

  onKernelReady(): void {
    this.#parts.store.dispatch({ kind: 'kernel', status: { kind: 'ready' } });
  }

  onKernelProgress(step: string): void {
    const kind = this.#kernel === null ? 'starting' : 'away';
    this.#parts.store.dispatch({ kind: 'kernel', status: { kind, step: safeLine(step) } });
  }

  onEvent(event: FluffyEvent): void {
    const { store, nowMs } = this.#parts;
    store.dispatch({ kind: 'event', event, atMs: nowMs() });
    if (event.type !== 'session.finished' || this.#replaying) return;
    if (event.status === 'committed' || event.status === 'done') this.#sendQueued();
    else this.#returnQueued();
  }

  onKey(action: KeyAction): void {
    const { store } = this.#parts;
    switch (action.kind) {
      case 'edit':
        store.dispatch({ kind: 'edit', edit: action.edit, atMs: this.#parts.nowMs() });
        return;
      case 'complete': {
        const whole = completeCommand(store.current.composer.text);
        if (whole !== null) this.#edit({ kind: 'replace', text: whole });
        return;
      }
      case 'submit':
        this.#submit();
        return;
      case 'interrupt':
        this.#interrupt();
        return;
      case 'end-of-input':
        if (store.current.composer.text === '') this.#parts.onLeave('quit');
        else this.#edit({ kind: 'erase-forward' });
        return;
      case 'suspend':
        this.#hint('Ctrl-Z does nothing here: no shell would wake fluffy again.');
        return;
      default:
        assertNever(action);
    }
  }

  /** A task given on the command line. */
  begin(task: string): void {
    this.#message(task);
  }

  /** Asks the kernel to end the run under way. */
  async stop(signal: 'interrupt' | 'terminate'): Promise<void> {
    const { sessionId } = this.#parts.store.current;
    if (this.#kernel === null || sessionId === null) return;
    this.#parts.store.dispatch({ kind: 'interrupting' });
    await this.#kernel.request('session.interrupt', { session_id: sessionId, signal }).catch(() => undefined);
  }

  problem({ what, why, fix }: Pick<UserFacingError, 'what' | 'why' | 'fix'>): void {
    this.#parts.store.dispatch({
      kind: 'say',
      item: { kind: 'problem', what: safeLine(what), why: safeLine(why), fix: safeLine(fix) },
    });
  }

  #submit(): void {
    const { composer } = this.#parts.store.current;
    if (composer.cursor === composer.text.length && /(?<!\\)(\\\\)*\\$/.test(composer.text)) {
      this.#edit({ kind: 'erase-back' });
      this.#edit({ kind: 'insert', text: '\n' });
      return;
    }
    if (this.#question !== null && this.#answers(composer.text, this.#question)) return;
    this.#obey(parseLine(composer.text));
  }

  /** Whether the line was only an answer to the question. Any other line counts as no, and is then handled as usual. */
  #answers(line: string, question: (yes: boolean) => void): boolean {
    const word = line.trim().toLowerCase();
    this.#question = null;
    const yes = word === 'y' || word === 'yes';
    question(yes);
    if (!yes && word !== 'n' && word !== 'no' && word !== '') return false;
    this.#edit({ kind: 'sent' });
    return true;
  }

  #obey(line: EnteredLine): void {
    switch (line.kind) {
      case 'nothing':
        return;
      case 'message':
        this.#edit({ kind: 'sent' });
        this.#message(line.text);
        return;
      case 'unknown':
        this.#hint(`There is no ${line.word}. ${line.suggestion} A blank before the / sends it as text.`);
        return;
      case 'misused':
        this.#hint(`It is written ${line.usage}`);
        return;
      case 'command':
        this.#run(line.command, line.argument);
        return;
      default:
        assertNever(line);
    }
  }

  #run(command: SlashCommand, argument: string): void {
    if (command.needs !== 'nothing' && this.#kernel === null) {
      this.#hint('The kernel is still starting. Press Enter again in a moment.');
      return;
    }
    if (command.keepsLine !== true) this.#edit({ kind: 'sent' });
    if (command.needs === 'session' && this.#session === null) {
      this.#answer('There is no session yet. Type a task to begin one.');
      return;
    }
    const context = slashContext({
      store: this.#parts.store,
      request: async (method, params) =>
        this.#connected().request(method, { ...params, session_id: await this.#sessionId() } as never),
      confirm: (question) => this.#confirm(question),
      keepPatch: this.#parts.keepPatch,
      decide: (choice) => this.#decide(choice),
      leave: () => this.#parts.onLeave('quit'),
    });
    // No await before it: the synchronous part of a command is done when this returns.
    const running = (async () => command.run(argument, context))();
    void running.catch((error: unknown) => this.#failed(error));
  }

  #confirm(question: string): Promise<boolean> {
    this.#question?.(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#question = resolve;
    this.#parts.store.dispatch({
      kind: 'say',
      item: { kind: 'note', level: 'warn', text: safeLine(`${question} Type y and Enter; anything else keeps it.`) },
    });
    return promise;
  }

  #message(text: string): void {
    const { store } = this.#parts;
    const { run, card } = store.current;
    if (this.#kernel !== null && run.kind === 'idle' && store.current.queue.length === 0) {
      this.#send(text);
      return;
    }
    store.dispatch({ kind: 'queued', text });
    if (this.#kernel === null) return;
    this.#hint(
      card === null
        ? 'Queued: it starts when this run is done.'
        : 'Queued. A review waits: decide it with /approve or /reject "why".',
    );
  }

  #send(text: string): void {
    const { store, nowMs } = this.#parts;
    store.dispatch({ kind: 'run-started', atMs: nowMs() });
    void this.#sessionId()
      .then((session_id) => this.#connected().request('session.message', { session_id, text }))
      .catch((error: unknown) => {
        store.dispatch({ kind: 'run-refused' });
        this.#failed(error);
      });
  }

  #sendQueued(): void {
    const { store } = this.#parts;
    const [next] = store.current.queue;
    if (next === undefined || store.current.run.kind === 'running') return;
    store.dispatch({ kind: 'queue-taken', count: 1 });
    this.#send(next);
  }

  /** After a run that did not finish, queued tasks do not start: they return to the prompt. */
  #returnQueued(): void {
    const { store } = this.#parts;
    const { queue, composer } = store.current;
    if (queue.length === 0) return;
    store.dispatch({ kind: 'queue-taken', count: queue.length });
    this.#edit({ kind: 'replace', text: [...queue, composer.text].filter((text) => text !== '').join('\n') });
    this.#hint('What was queued is back in the prompt.');
  }

  #decide(choice: Choice): void {
    const { store, nowMs, decide } = this.#parts;
    const may = mayDecide(store.current.card, store.current.composer, nowMs());
    switch (may.kind) {
      case 'nothing-waits':
        this.#hint('No review waits.');
        return;
      case 'deciding':
        this.#hint('Your decision is being carried out.');
        return;
      case 'too-early':
        this.#hint('The review has only just been drawn. Look at it, then press Enter again.');
        return;
      case 'typed-before':
        store.dispatch({ kind: 'edit', edit: { kind: 'look-again' }, atMs: nowMs() + LOOK_AGAIN_MS });
        this.#hint('That was typed before the review was on the screen. Look at it, then press Enter again.');
        return;
      case 'yes':
        break;
      default:
        assertNever(may);
    }
    const { reviewId, kind, message, diff, sha256 } = may.card;
    this.#edit({ kind: 'sent' });
    store.dispatch({ kind: 'deciding', reviewId, deciding: true });
    void this.#sessionId()
      .then((id) => decide(this.#connected(), id, { review_id: reviewId, kind, message, diff, sha256 }, choice))
      .then(({ outcome }) => {
        // The run that requested the review has ended meanwhile: a new one continues with the reason, as the card said.
        if (outcome === 'rejected' && store.current.run.kind === 'idle') this.#send('Go on.');
      })
      .catch((error: unknown) => {
        // The answer comes when the run has ended, which can exceed the time limit of a request. An event reports the decision itself.
        if (store.current.card?.reviewId !== reviewId) return;
        store.dispatch({ kind: 'deciding', reviewId, deciding: false });
        this.#failed(error);
      });
  }

  #interrupt(): void {
    const { store, nowMs, after, onLeave } = this.#parts;
    const again = nowMs() - this.#interruptedAtMs < LEAVE_WITHIN_MS;
    if (again) {
      onLeave('interrupt');
      return;
    }
    this.#interruptedAtMs = nowMs();
    this.#question?.(false);
    this.#question = null;
    const { run, composer } = store.current;
    if (run.kind === 'running') void this.stop('interrupt');
    else if (composer.text !== '') this.#edit({ kind: 'clear' });
    const text = 'Ctrl-C again leaves; the session is kept.';
    this.#hint(text);
    after(LEAVE_WITHIN_MS, () => {
      if (store.current.hint === text) store.dispatch({ kind: 'hint', text: null });
    });
  }

  /** A session is created on first use, so that only looking around leaves no session behind. */
  #sessionId(): Promise<string> {
    if (this.#session === null) {
      const starting = this.#connected().start(this.#parts.options);
      this.#session = starting;
      starting.catch(() => {
        this.#session = null;
      });
    }
    return this.#session;
  }

  #connected(): SessionKernel {
    if (this.#kernel === null) throw new Error('asked before the kernel was there');
    return this.#kernel;
  }

  #failed(error: unknown): void {
    if (error instanceof FluffyError) this.problem(error);
    else
      this.problem({
        what: 'The request to the kernel failed',
        why: String(error),
        fix: 'Try again; fluffy doctor looks for the cause',
      });
  }

  #edit(change: Extract<KeyAction, { kind: 'edit' }>['edit']): void {
    this.#parts.store.dispatch({ kind: 'edit', edit: change, atMs: this.#parts.nowMs() });
  }

  #hint(text: string): void {
    this.#parts.store.dispatch({ kind: 'hint', text: safeLine(text) });
  }

  #answer(text: string): void {
    this.#parts.store.dispatch({ kind: 'say', item: { kind: 'answer', lines: safeLines(text) } });
  }
}
