import type { FluffyEvent } from '../../contracts/events.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { UserFacingError } from '../../contracts/fluffy-error.ts';
import type { RequestParams, RequestResult, SessionOptions } from '../../contracts/session-protocol.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { parseLine } from '../../tui/commands/parse-line.ts';
import type { EnteredLine } from '../../tui/commands/parse-line.ts';
import type { Choice, SessionMethod, SlashCommand } from '../../tui/commands/slash-command.ts';
import type { KeyAction } from '../../tui/keymap/read-keys.ts';
import { wholeText } from '../../tui/store/composer.ts';
import type { Edit } from '../../tui/store/composer.ts';
import { safeLine, safeLines } from '../../tui/store/safe-text.ts';
import type { ViewStore } from '../../tui/store/view-store.ts';
import type { KernelClient } from '../kernel-client/kernel-client.ts';
import type { ShownReview } from '../review/decide-review.ts';
import { decideShownReview } from './decide-shown-review.ts';
import type { ReviewParts } from './decide-shown-review.ts';
import { FileCompletion } from './file-completion.ts';
import { MessageQueue } from './message-queue.ts';
import { OpenQuestion } from './open-question.ts';
import { Panels } from './panels.ts';
import { PromptMenu } from './prompt-menu.ts';
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
  /** Keeps what was sent for later sessions. */
  readonly remember: (text: string) => void;
  /** The project's files, for `@`. */
  readonly listFiles: () => Promise<readonly string[]>;
  readonly onLeave: (how: Leaving) => void;
}

/** A little less than the kernel keeps sandboxes ready for. */
const WARM_FOR_MS = 110_000;

/** A second Ctrl-C within this time leaves. */
const LEAVE_WITHIN_MS = 2000;

/**
 * Turns typed keys into requests to the kernel, and events of the kernel into the screen. Uses neither terminal nor socket:
 * keys come in through `onKey`, events through `onEvent`.
 */
export class Conversation {
  readonly #parts: ConversationParts;
  readonly #queue: MessageQueue;
  readonly #reviewParts: ReviewParts;
  /** A command waits for a yes or no. */
  readonly #question = new OpenQuestion();
  readonly #files: FileCompletion;
  readonly #menu: PromptMenu;
  readonly #panels: Panels;
  #kernel: SessionKernel | null = null;
  #session: Promise<string> | null = null;
  #interruptedAtMs = -Infinity;
  /** When the kernel last had sandboxes ready for this session. */
  #warmAtMs = -Infinity;
  /** Past events are being replayed: they start nothing. */
  #replaying = false;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    const { store, nowMs } = parts;
    const hint = (text: string): void => this.#hint(text);
    const failed = (error: unknown): void => this.#failed(error);
    this.#queue = new MessageQueue({
      store,
      nowMs,
      hint,
      failed,
      isConnected: () => this.#kernel !== null,
      request: async (text) => {
        const session_id = await this.#sessionId();
        return this.#connected().request('session.message', { session_id, text });
      },
    });
    this.#files = new FileCompletion({ store, nowMs, list: parts.listFiles });
    this.#menu = new PromptMenu({ store, nowMs, files: this.#files });
    this.#panels = new Panels({
      store,
      request: (method, params) => this.#request(method, params),
      picked: () => undefined,
    });
    this.#reviewParts = {
      store,
      nowMs,
      hint,
      failed,
      decide: async (shown, choice) => parts.decide(this.#connected(), await this.#sessionId(), shown, choice),
      send: (text) => this.#queue.send(text),
    };
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
    this.#queue.sendNext();
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
    this.#warmAtMs = nowMs();
    if (event.status === 'committed' || event.status === 'done') this.#queue.sendNext();
    else this.#queue.returnToPrompt();
  }

  onKey(action: KeyAction): void {
    const { store } = this.#parts;
    switch (action.kind) {
      case 'edit':
        this.#typed(action.edit);
        return;
      case 'complete':
        if (!this.#menu.fillIn()) this.#edit({ kind: 'open-paste' });
        return;
      case 'submit':
        if (!this.#menu.enter()) this.#submit();
        return;
      case 'interrupt':
        this.#interrupt();
        return;
      case 'end-of-input':
        if (store.current.composer.text === '') this.#parts.onLeave('quit');
        else this.#edit({ kind: 'erase-forward' });
        return;
      case 'escape':
        if (this.#menu.close()) return;
        if (store.current.run.kind === 'running' && store.current.card === null) void this.stop('interrupt');
        return;
      case 'open':
        this.#panels.open();
        return;
      case 'close-panel':
        this.#panels.close();
        return;
      case 'load-page':
        void this.#panels.load(action.page);
        return;
      case 'picked':
        this.#panels.picked(action.id);
        return;
      case 'page':
        return;
      case 'editor':
        this.#hint('There is no terminal here that an editor could have.');
        return;
      case 'suspend':
        this.#hint('Ctrl-Z does nothing here: no shell would wake fluffy again.');
        return;
      default:
        assertNever(action);
    }
  }

  #typed(edit: Edit): void {
    if (edit.kind === 'up' && this.#parts.store.current.composer.text === '' && this.#queue.takeBack()) return;
    if (edit.kind === 'up' && this.#menu.move(-1)) return;
    if (edit.kind === 'down' && this.#menu.move(1)) return;
    this.#edit(edit);
    this.#warm();
    this.#files.update();
  }

  /** A task given on the command line. */
  begin(task: string): void {
    this.#queue.enter(task);
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

  /** The first key after a pause: while the message is typed, what it needs is made ready. */
  #warm(): void {
    const { store, nowMs } = this.#parts;
    const { sessionId, run } = store.current;
    if (this.#kernel === null || sessionId === null || run.kind === 'running') return;
    if (nowMs() - this.#warmAtMs < WARM_FOR_MS) return;
    this.#warmAtMs = nowMs();
    this.#kernel.request('session.warm', { session_id: sessionId }).catch(() => undefined);
  }

  #submit(): void {
    const { composer } = this.#parts.store.current;
    if (composer.cursor === composer.text.length && /(?<!\\)(\\\\)*\\$/.test(composer.text)) {
      this.#edit({ kind: 'erase-back' });
      this.#edit({ kind: 'insert', text: '\n' });
      return;
    }
    const text = wholeText(composer);
    if (this.#question.answer(text)) {
      this.#edit({ kind: 'sent' });
      return;
    }
    this.#obey(parseLine(text));
  }

  #obey(line: EnteredLine): void {
    switch (line.kind) {
      case 'nothing':
        return;
      case 'message':
        this.#edit({ kind: 'sent' });
        this.#parts.remember(line.text);
        this.#queue.enter(line.text);
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
      request: (method, params) => this.#request(method, params),
      confirm: (question) => this.#confirm(question),
      keepPatch: this.#parts.keepPatch,
      decide: (choice) => decideShownReview(this.#reviewParts, choice),
      leave: () => this.#parts.onLeave('quit'),
    });
    // No await before it: the synchronous part of a command is done when this returns.
    const running = (async () => command.run(argument, context))();
    void running.catch((error: unknown) => this.#failed(error));
  }

  async #request<M extends SessionMethod>(
    method: M,
    params: Omit<RequestParams<M>, 'session_id'>,
  ): Promise<RequestResult<M>> {
    return this.#connected().request(method, { ...params, session_id: await this.#sessionId() } as never);
  }

  #confirm(question: string): Promise<boolean> {
    const answer = this.#question.ask();
    this.#parts.store.dispatch({
      kind: 'say',
      item: { kind: 'note', level: 'warn', text: safeLine(`${question} Type y and Enter; anything else keeps it.`) },
    });
    return answer;
  }

  #interrupt(): void {
    const { store, nowMs, after, onLeave } = this.#parts;
    const again = nowMs() - this.#interruptedAtMs < LEAVE_WITHIN_MS;
    if (again) {
      onLeave('interrupt');
      return;
    }
    this.#interruptedAtMs = nowMs();
    this.#question.refuse();
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

  #edit(change: Edit): void {
    this.#parts.store.dispatch({ kind: 'edit', edit: change, atMs: this.#parts.nowMs() });
  }

  #hint(text: string): void {
    this.#parts.store.dispatch({ kind: 'hint', text: safeLine(text) });
  }

  #answer(text: string): void {
    this.#parts.store.dispatch({ kind: 'say', item: { kind: 'answer', lines: safeLines(text) } });
  }
}
