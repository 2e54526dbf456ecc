import type { FluffyEvent } from '../../contracts/session/events.ts';
import type { UserFacingError } from '../../contracts/fluffy-error.ts';
import type { RequestParams, RequestResult } from '../../contracts/session/session-protocol.ts';
import { attached } from '../../lib/images/image-paths.ts';
import { assertNever } from '../../lib/assert-never.ts';
import type { SessionMethod, SessionRequest } from '../../tui/commands/slash-command.ts';
import type { KeyAction } from '../../tui/keymap/key-action.ts';
import type { Edit } from '../../tui/composer/composer.ts';
import { safeLine } from '../../tui/store/safe-text.ts';
import type { ConversationParts, Resuming } from './conversation-parts.ts';
import { OwnCommands } from './commands/own-commands.ts';
import type { ReviewParts } from './session/decide-shown-review.ts';
import { endRun } from './session/end-run.ts';
import { commandActions } from './prompt/command-actions.ts';
import { editPrompt } from './prompt/edit-prompt.ts';
import { FileCompletion } from './prompt/file-completion.ts';
import { LineEntry } from './prompt/line-entry.ts';
import { ModelSwitch } from './session/model-switch.ts';
import { MessageQueue } from './prompt/message-queue.ts';
import { Panels } from './panels.ts';
import { PromptMenu } from './prompt/prompt-menu.ts';
import { screenMessages } from './screen-messages.ts';
import type { ScreenMessages } from './screen-messages.ts';
import type { SessionKernel } from './session/session-kernel.ts';
import { LoneWork } from './session/lone-work.ts';
import { SessionSwitch } from './session/session-switch.ts';
import { WarmSession } from './session/warm-session.ts';
import { StopKeys } from './prompt/stop-keys.ts';
import { ThemeChoice } from './theme-choice.ts';

/**
 * Turns typed keys into requests to the kernel, and events of the kernel into the screen. Uses neither terminal nor socket: keys come in through
 * `onKey`, events through `onEvent`.
 */
export class Conversation {
  readonly #parts: ConversationParts;
  readonly #messages: ScreenMessages;
  readonly #queue: MessageQueue;
  readonly #reviewParts: ReviewParts;
  readonly #lines: LineEntry;
  readonly #stopKeys: StopKeys;
  readonly #files: FileCompletion;
  readonly #menu: PromptMenu;
  readonly #commands: OwnCommands;
  readonly #panels: Panels;
  #kernel: SessionKernel | null = null;
  readonly #session: SessionSwitch;
  readonly #model: ModelSwitch;
  readonly #warm: WarmSession;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    const { store, nowMs } = parts;
    this.#messages = screenMessages(store);
    const { hint, failed } = this.#messages;
    const edit = (change: Edit): void => this.#edit(change);
    const request: SessionRequest = (method, params) => this.#request(method, params);
    this.#queue = new MessageQueue({
      store,
      nowMs,
      hint,
      failed,
      isConnected: () => this.#kernel !== null,
      request: (text) => this.#send(text),
      obey: (line) => this.#lines.obey(line),
    });
    this.#files = new FileCompletion({ store, nowMs, list: parts.listFiles });
    this.#menu = new PromptMenu({ store, nowMs, files: this.#files });
    this.#session = new SessionSwitch({
      ...parts,
      hint,
      failed,
      kernel: () => this.#connected(),
    });
    this.#model = new ModelSwitch({
      ...parts,
      hint,
      request: (choice) => this.#request('session.set_model', { choice }),
      chosen: (choice) => this.#session.useModel(choice),
    });
    this.#warm = new WarmSession({ store, nowMs, kernel: () => this.#kernel });
    const theme = new ThemeChoice({ store, keep: parts.keepTheme });
    this.#panels = new Panels({
      store,
      request,
      theme,
      picked: (purpose, id) => (purpose === 'model' ? this.#model.choose(id) : this.#session.picked(purpose, id)),
      failed,
    });
    this.#reviewParts = {
      store,
      nowMs,
      hint,
      failed,
      decide: async (shown, choice) => parts.decide(this.#connected(), await this.#session.id(), shown, choice),
      note: this.#messages.note,
      queue: this.#queue,
    };
    this.#stopKeys = new StopKeys({
      ...parts,
      messages: this.#messages,
      edit,
      stop: () => void this.#interrupt(),
      leave: () => parts.onLeave('interrupt'),
      goBack: () => this.#session.pickMessage(),
    });
    const send = (text: string): void => {
      parts.remember(text);
      this.#queue.enter(text);
    };
    this.#commands = new OwnCommands({ store, source: parts.commands, warn: this.#messages.warn, send });
    this.#lines = new LineEntry({
      store,
      messages: this.#messages,
      edit,
      isConnected: () => this.#kernel !== null,
      hasSession: () => this.#session.exists,
      hold: (line) => this.#queue.hold(line),
      send,
      alone: new LoneWork({
        store,
        nowMs,
        remember: parts.remember,
        messages: this.#messages,
        queue: this.#queue,
        request,
      }),
      actions: this.#actions(request, theme),
    });
  }

  #actions(request: SessionRequest, theme: ThemeChoice): ReturnType<typeof commandActions> {
    return commandActions({
      parts: this.#parts,
      request,
      warn: this.#messages.warn,
      review: this.#reviewParts,
      session: this.#session,
      model: this.#model,
      theme,
      commands: this.#commands,
    });
  }

  /** Sends a message with the images that it names outside of the project. */
  async #send(text: string): Promise<unknown> {
    const session_id = await this.#session.idForMessage();
    const images = [...(await this.#parts.imagesIn(text))];
    const commands = [...this.#commands.calledIn(text)];
    return this.#connected().request('session.message', {
      session_id,
      text,
      ...(images.length === 0 ? {} : { images }),
      ...(commands.length === 0 ? {} : { commands }),
    });
  }

  /** Called when the kernel is ready: resumes the named session, or lets the person choose one, and sends what was typed meanwhile. */
  async attach(kernel: SessionKernel, resume: Resuming | null): Promise<void> {
    this.#kernel = kernel;
    if (resume !== null && resume.session !== null) {
      await this.#session.enter(resume.session, resume.fork, resume);
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
    const { store } = this.#parts;
    if (!this.#session.shows(event.session_id)) return;
    this.#model.onEvent(event);
    store.dispatch({ kind: 'event', event, atMs: this.#session.atMs(event) });
    if (event.type !== 'session.finished' || this.#session.replaying) return;
    this.#warm.runEnded();
    this.#queue.runEnded(event.status);
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
        if (!this.#menu.enter()) this.#lines.submit();
        return;
      case 'interrupt':
        this.#lines.refuseQuestion();
        this.#stopKeys.interrupt();
        return;
      case 'end-of-input':
        if (store.current.composer.text === '') this.#parts.onLeave('quit');
        else this.#edit({ kind: 'erase-forward' });
        return;
      case 'escape':
        if (store.current.composer.search !== null) this.#edit({ kind: 'end-search' });
        else if (!this.#menu.close()) this.#stopKeys.escape();
        return;
      case 'open':
      case 'close-panel':
      case 'load-page':
      case 'marked':
      case 'picked':
        this.#panels.onKey(action);
        return;
      case 'page':
        return;
      case 'editor':
        void editPrompt({ ...this.#parts, ...this.#messages, change: (change) => this.#edit(change) });
        return;
      case 'paste-image':
        void this.#pasteImage();
        return;
      case 'next-mode':
        if (!this.#menu.move(-1)) this.#lines.nextMode();
        return;
      case 'redraw':
        this.#parts.redraw();
        return;
      case 'suspend':
        this.#messages.hint('Ctrl-Z does nothing here: no shell would wake fluffy again.');
        return;
      default:
        assertNever(action);
    }
  }

  async #pasteImage(): Promise<void> {
    const image = await this.#parts.clipboardImage();
    if (image.kind === 'none') this.#messages.hint(image.why);
    else this.#edit({ kind: 'paste', text: attached([image.path]) });
  }

  #typed(edit: Edit): void {
    if (edit.kind === 'up' && this.#parts.store.current.composer.text === '' && this.#queue.takeBack()) return;
    if (edit.kind === 'up' && this.#menu.move(-1)) return;
    if (edit.kind === 'down' && this.#menu.move(1)) return;
    this.#edit(edit);
    this.#warm.typed();
    this.#files.update();
    this.#commands.typed(this.#parts.store.current.composer.text);
  }

  loadCommands(): Promise<void> {
    return this.#commands.load();
  }

  /** A task given on the command line. */
  begin(task: string): void {
    this.#parts.remember(task);
    this.#edit({ kind: 'remembered', texts: [task] });
    this.#queue.enter(task);
  }

  /** Asks the kernel to end the current run. */
  async stop(signal: 'interrupt' | 'terminate'): Promise<void> {
    this.#queue.stopped();
    await endRun(this.#parts.store, this.#kernel, { signal });
  }

  /** Ends the run; messages of the person that the model has not read return to the prompt. */
  async #interrupt(): Promise<void> {
    this.#queue.stopped();
    const ended = await endRun(this.#parts.store, this.#kernel, { signal: 'interrupt', give_back: true });
    this.#queue.giveBack(ended?.unread ?? []);
  }

  problem(error: Pick<UserFacingError, 'what' | 'why' | 'fix'>): void {
    this.#messages.problem(error);
  }

  async #request<M extends SessionMethod>(
    method: M,
    params: Omit<RequestParams<M>, 'session_id'>,
  ): Promise<RequestResult<M>> {
    return this.#connected().request(method, { ...params, session_id: await this.#session.id() } as never);
  }

  #connected(): SessionKernel {
    if (this.#kernel === null) throw new Error('asked before the kernel was there');
    return this.#kernel;
  }

  #edit(change: Edit): void {
    this.#parts.store.dispatch({ kind: 'edit', edit: change, atMs: this.#parts.nowMs() });
  }
}
