import type { FluffyEvent } from '../../contracts/session/events.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { UserFacingError } from '../../contracts/fluffy-error.ts';
import type { RequestParams, RequestResult, SessionOptions } from '../../contracts/session/session-protocol.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { parseLine } from '../../tui/commands/parse-line.ts';
import type { EnteredLine } from '../../tui/commands/parse-line.ts';
import type { Choice, SessionMethod, SlashCommand } from '../../tui/commands/slash-command.ts';
import type { PickerEntry } from '../../tui/panel/panel.ts';
import type { KeyAction } from '../../tui/keymap/read-keys.ts';
import { wholeText } from '../../tui/store/composer.ts';
import type { Edit } from '../../tui/store/composer.ts';
import { safeLine, safeLines } from '../../tui/store/safe-text.ts';
import type { ViewStore } from '../../tui/store/view-store.ts';
import type { ShownReview } from '../review/decide-review.ts';
import { decideShownReview } from './decide-shown-review.ts';
import type { ReviewParts } from './decide-shown-review.ts';
import { FileCompletion } from './file-completion.ts';
import { MessageQueue } from './message-queue.ts';
import { OpenQuestion } from './open-question.ts';
import { Panels } from './panels.ts';
import { PromptMenu } from './prompt-menu.ts';
import type { SessionKernel } from './session-kernel.ts';
import { SessionSwitch } from './session-switch.ts';
import { slashContext } from './slash-context.ts';

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
  /** Sessions of the project that can be taken up, the last used first. */
  readonly listSessions: () => Promise<readonly PickerEntry[]>;
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
  readonly #session: SessionSwitch;
  #interruptedAtMs = -Infinity;
  /** When the kernel last had sandboxes ready for this session. */
  #warmAtMs = -Infinity;
  /** When Esc was last pressed where nothing ran. */
  #escapedAtMs = -Infinity;

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
        const session_id = await this.#session.id();
        return this.#connected().request('session.message', { session_id, text });
      },
    });
    this.#files = new FileCompletion({ store, nowMs, list: parts.listFiles });
    this.#menu = new PromptMenu({ store, nowMs, files: this.#files });
    this.#session = new SessionSwitch({
      ...parts,
      hint,
      failed,
      kernel: () => this.#connected(),
    });
    this.#panels = new Panels({
      store,
      request: (method, params) => this.#request(method, params),
      picked: (purpose, id) => void this.#session.picked(purpose, id).catch(failed),
    });
    this.#reviewParts = {
      store,
      nowMs,
      hint,
      failed,
      decide: async (shown, choice) => parts.decide(this.#connected(), await this.#session.id(), shown, choice),
      send: (text) => this.#queue.send(text),
    };
  }

  /** Called when the kernel is ready: resumes the named session, if any, or has one chosen, and sends what was typed meanwhile. */
  async attach(kernel: SessionKernel, resume: { session: string | null; fork: boolean } | null): Promise<void> {
    this.#kernel = kernel;
    if (resume !== null && resume.session !== null) {
      await this.#session.enter(resume.session, resume.fork);
    }
    this.onKernelReady();
    if (resume !== null && resume.session === null) await this.#session.pick();
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
    if (!this.#session.shows(event.session_id)) return;
    store.dispatch({ kind: 'event', event, atMs: nowMs() });
    if (event.type !== 'session.finished' || this.#session.replaying) return;
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
        this.#escape();
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

  /** Interrupts a run; twice where nothing runs and nothing is typed, goes back to an earlier message. */
  #escape(): void {
    const { run, card, composer, said } = this.#parts.store.current;
    if (run.kind === 'running') {
      if (card === null) void this.stop('interrupt');
      return;
    }
    if (composer.text !== '' || said.length === 0) return;
    const again = this.#parts.nowMs() - this.#escapedAtMs < LEAVE_WITHIN_MS;
    this.#escapedAtMs = again ? -Infinity : this.#parts.nowMs();
    if (again) this.#session.pickMessage();
    else this.#hint('Esc again goes back to an earlier message.');
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
    if (command.needs === 'session' && !this.#session.exists) {
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
      pickSession: () => this.#session.pick(),
      startAnew: () => this.#session.startAnew(),
      fork: () => this.#session.fork(),
    });
    // No await before it: the synchronous part of a command is done when this returns.
    const running = (async () => command.run(argument, context))();
    void running.catch((error: unknown) => this.#failed(error));
  }

  async #request<M extends SessionMethod>(
    method: M,
    params: Omit<RequestParams<M>, 'session_id'>,
  ): Promise<RequestResult<M>> {
    return this.#connected().request(method, { ...params, session_id: await this.#session.id() } as never);
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
