import type { ModelChoice } from '../../../contracts/model/model-choice.ts';
import { withModel } from '../../../contracts/model/model-choice.ts';
import type { FluffyEvent } from '../../../contracts/session/events.ts';
import type { SessionOptions } from '../../../contracts/session/session-protocol.ts';
import type { PickerEntry } from '../../../tui/panel/panel.ts';
import { safeLine, safeLines } from '../../../tui/store/safe-text.ts';
import type { ViewStore } from '../../../tui/store/view-store.ts';
import type { ConversationParts } from '../conversation-parts.ts';
import type { SessionKernel } from './session-kernel.ts';

export interface SwitchParts {
  readonly store: ViewStore;
  readonly nowMs: () => number;
  readonly calendarMs: () => number;
  readonly options: SessionOptions;
  readonly kernel: () => SessionKernel;
  readonly listSessions: ConversationParts['listSessions'];
  readonly checkModel: ConversationParts['checkModel'];
  readonly hint: (text: string) => void;
  readonly failed: (error: unknown) => void;
}

/** Number of shown rows of a chosen message. */
const PREVIEW_LINES = 6;

/** The session of this terminal: started with the first message, resumed, forked, or replaced by another one. */
export class SessionSwitch {
  readonly #parts: SwitchParts;
  /** Sessions that this terminal has left: their further events are not shown. */
  readonly #left = new Set<string>();
  #session: Promise<string> | null = null;
  #replaying = false;
  #options: SessionOptions;

  constructor(parts: SwitchParts) {
    this.#parts = parts;
    this.#options = parts.options;
  }

  /** Later sessions use this model. */
  useModel(choice: ModelChoice): void {
    this.#options = withModel(this.#options, choice);
  }

  get exists(): boolean {
    return this.#session !== null;
  }

  /** Whether past events are being shown again: they start nothing. */
  get replaying(): boolean {
    return this.#replaying;
  }

  /**
   * When an event happened, on the clock of the screen. Past events come all at once: without this, the time that a run worked or waited for a person
   * would be unknown.
   */
  atMs({ ts }: Pick<FluffyEvent, 'ts'>): number {
    const { nowMs, calendarMs } = this.#parts;
    return nowMs() - (this.#replaying ? Math.max(0, calendarMs() - ts) : 0);
  }

  shows(sessionId: string | null): boolean {
    return sessionId === null || !this.#left.has(sessionId);
  }

  /** A session is created on first use, so that only looking around leaves no session behind. */
  id(): Promise<string> {
    if (this.#session === null) {
      const starting = this.#parts.kernel().start(this.#options);
      this.#session = starting;
      starting.catch(() => {
        this.#session = null;
      });
    }
    return this.#session;
  }

  /** Like `id`, but throws FluffyError if a new session could not use its model. */
  async idForMessage(): Promise<string> {
    if (this.#session === null) await this.#parts.checkModel(this.#options.model);
    return this.id();
  }

  /** Resumes a session or a copy of it, with its own model or with this terminal's. */
  async enter(
    id: string,
    fork: boolean | { readonly withoutLast: number },
    { keepModel }: { readonly keepModel: boolean } = { keepModel: true },
  ): Promise<void> {
    const { kernel } = this.#parts;
    this.#left.delete(id);
    this.#replaying = true;
    const entering = kernel().resume(id, fork, this.#options, { afterSeq: 0, keepModel });
    this.#session = entering;
    entering.catch(() => {
      this.#session = null;
    });
    await entering.finally(() => {
      this.#replaying = false;
    });
  }

  async pick(): Promise<void> {
    const { store, listSessions, hint } = this.#parts;
    if (this.#isBusy()) return;
    const list = await listSessions(store.current.sessionId);
    if (list.entries.length === 0) return hint('This project has no other session.');
    store.dispatch({
      kind: 'panel',
      panel: { kind: 'picker', purpose: 'session', title: safeLine('Sessions'), ...list },
    });
  }

  startNewSession(): void {
    if (this.#isBusy()) return;
    this.#leave();
    this.#session = null;
    this.#note('The next message begins a new session.');
  }

  async fork(): Promise<void> {
    const { sessionId } = this.#parts.store.current;
    if (sessionId === null || this.#isBusy()) return;
    await this.#change(sessionId, true, 'You continue in a copy of the session; the original is not changed.');
  }

  /** Esc Esc: the person's messages, newest first. */
  pickMessage(): void {
    const { store, hint } = this.#parts;
    const { said, sessionId } = store.current;
    if (sessionId === null || said.length === 0) return hint('There is no message to go back to.');
    if (this.#isBusy()) return;
    const entries = said.toReversed().map((text, index): PickerEntry => {
      const lines = safeLines(text);
      return {
        id: String(index + 1),
        label: lines[0] ?? safeLine(''),
        aside: safeLine(index === 0 ? 'the last one' : `${index + 1} back`),
        preview: lines.length > 1 ? lines.slice(0, PREVIEW_LINES) : [],
      };
    });
    const title = safeLine('Before which message? This session is kept');
    store.dispatch({ kind: 'panel', panel: { kind: 'picker', purpose: 'message', title, entries } });
  }

  async picked(purpose: 'session' | 'message', id: string): Promise<void> {
    const { store, nowMs } = this.#parts;
    if (purpose === 'session') return this.#change(id, false, null);
    const { sessionId, said } = store.current;
    const text = said.at(-Number(id));
    if (sessionId === null || text === undefined) return;
    await this.#change(
      sessionId,
      { withoutLast: Number(id) },
      'You continue in a copy of the session, from before this message:',
    );
    store.dispatch({ kind: 'edit', edit: { kind: 'replace', text }, atMs: nowMs() });
  }

  async #change(id: string, fork: boolean | { readonly withoutLast: number }, note: string | null): Promise<void> {
    this.#leave();
    if (note !== null) this.#note(note);
    await this.enter(id, fork);
    if (!fork) this.#note(`You continue session ${id}.`);
  }

  #leave(): void {
    const { store } = this.#parts;
    const { sessionId } = store.current;
    if (sessionId !== null) this.#left.add(sessionId);
    store.dispatch({ kind: 'session-left' });
  }

  #isBusy(): boolean {
    const isRunning = this.#parts.store.current.run.kind === 'running';
    if (isRunning) this.#parts.hint('A run is under way: interrupt it first.');
    return isRunning;
  }

  #note(text: string): void {
    this.#parts.store.dispatch({ kind: 'say', item: { kind: 'note', level: 'info', text: safeLine(text) } });
  }
}
