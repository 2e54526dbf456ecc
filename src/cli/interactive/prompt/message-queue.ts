import type { SessionFinished } from '../../../contracts/session/events.ts';
import { wholeText } from '../../../tui/composer/composer.ts';
import type { ViewStore } from '../../../tui/store/view-store.ts';

export interface QueueParts {
  readonly store: ViewStore;
  readonly nowMs: () => number;
  readonly isConnected: () => boolean;
  /** Starts a run with this text, or joins the current one. The answer comes when the kernel has accepted it. */
  readonly request: (text: string) => Promise<unknown>;
  /** Runs a command to its end. Never rejects. */
  readonly obey: (line: string) => Promise<void>;
  readonly hint: (text: string) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Messages of the person. One that is entered during a run joins it: the model reads it after the current calls. A message entered while the kernel
 * starts, or while a review waits, is queued.
 */
export class MessageQueue {
  readonly #parts: QueueParts;

  /** The queued lines that are commands. */
  readonly #commands = new Set<string>();
  /** How many of the newest queued lines were entered after the run had been stopped: they come next. */
  #afterStop = 0;

  constructor(parts: QueueParts) {
    this.#parts = parts;
  }

  enter(text: string): void {
    const { store, isConnected, hint } = this.#parts;
    const { run, card, queue } = store.current;
    // A change of mode has no run; a message entered before the decision may be meant for the new mode.
    if (isConnected() && run.kind === 'idle' && queue.length === 0 && card?.kind !== 'mode') {
      this.send(text);
      return;
    }
    const takesMore = run.kind === 'running' && run.command !== true && !run.interrupting && card === null;
    if (isConnected() && takesMore && queue.length === 0) {
      hint('Sent: the model reads it after the calls in progress.');
      void this.#join(text);
      return;
    }
    store.dispatch({ kind: 'queued', text });
    if (!isConnected()) return;
    const stopping = run.kind === 'running' && run.interrupting;
    if (stopping) this.#afterStop += 1;
    if (card !== null && !stopping) hint('Queued. A review waits: decide it with /approve or /reject "why".');
    else hint(stopping ? 'Queued: it starts when this run has stopped.' : 'Queued: it starts when this run is done.');
  }

  /** A command that needs the kernel, which is not ready yet. */
  hold(line: string): void {
    this.#commands.add(line);
    this.#parts.store.dispatch({ kind: 'queued', text: line });
  }

  async #join(text: string): Promise<void> {
    const { store, request, failed } = this.#parts;
    store.dispatch({ kind: 'joining', text });
    await request(text).catch((error: unknown) => {
      store.dispatch({ kind: 'join-refused', text });
      failed(error);
    });
  }

  /** Queued messages join the current run instead. Never rejects. */
  async joinRun(): Promise<void> {
    const { store } = this.#parts;
    const { queue } = store.current;
    store.dispatch({ kind: 'queue-taken', count: queue.length });
    for (const text of queue) await this.#join(text);
  }

  /** Starts a run with the queued messages, or only with the request to continue. */
  goOn(): void {
    const { store } = this.#parts;
    const { queue } = store.current;
    store.dispatch({ kind: 'queue-taken', count: queue.length });
    this.send(queue.length === 0 ? 'Go on.' : queue.join('\n'));
  }

  /** Messages that the model has not read return to the prompt, before the typed text. */
  giveBack(texts: readonly string[]): void {
    const { store, nowMs, hint } = this.#parts;
    if (texts.length === 0) return;
    for (const text of texts) store.dispatch({ kind: 'join-refused', text });
    const text = [...texts, wholeText(store.current.composer)].filter((each) => each !== '').join('\n');
    store.dispatch({ kind: 'edit', edit: { kind: 'replace', text }, atMs: nowMs() });
    hint('What the model had not read is back in the prompt.');
  }

  /** The newest queued task returns to the prompt. Returns whether there was one. */
  takeBack(): boolean {
    const { store, nowMs } = this.#parts;
    const last = store.current.queue.at(-1);
    if (last === undefined) return false;
    this.#commands.delete(last);
    this.#afterStop = Math.max(0, this.#afterStop - 1);
    store.dispatch({ kind: 'queue-taken-back' });
    store.dispatch({ kind: 'edit', edit: { kind: 'replace', text: last }, atMs: nowMs() });
    return true;
  }

  /** Starts a run at once. */
  send(text: string): void {
    const { store, nowMs, request, failed } = this.#parts;
    store.dispatch({ kind: 'run-started', atMs: nowMs() });
    void request(text).catch((error: unknown) => {
      store.dispatch({ kind: 'run-refused' });
      failed(error);
    });
  }

  sendNext(): void {
    const { store } = this.#parts;
    const [next] = store.current.queue;
    if (next === undefined || store.current.run.kind === 'running') return;
    store.dispatch({ kind: 'queue-taken', count: 1 });
    if (this.#commands.delete(next)) void this.#obey(next);
    else this.send(next);
  }

  async #obey(line: string): Promise<void> {
    const { store, obey } = this.#parts;
    await obey(line);
    // Queued messages may concern what is chosen there.
    if (store.current.panel === null && store.current.card === null) this.sendNext();
  }

  /** The run was stopped: messages queued before are not sent after it; messages entered from here on are. */
  stopped(): void {
    this.#afterStop = 0;
  }

  /** After a stopped run: messages entered since then are sent, and earlier ones return to the prompt. */
  afterStop(): void {
    const count = this.#afterStop;
    this.#giveBackQueued(this.#parts.store.current.queue.length - count);
    this.#afterStop = 0;
    if (count > 0) this.sendNext();
  }

  /** After a run that did not finish, queued messages are not sent: they return to the prompt. */
  runEnded(status: SessionFinished['status']): void {
    if (status === 'committed' || status === 'done') this.sendNext();
    else if (status === 'cancelled') this.afterStop();
    else this.#giveBackQueued(this.#parts.store.current.queue.length);
    this.#afterStop = 0;
  }

  /** The oldest queued messages. */
  #giveBackQueued(count: number): void {
    const { store, nowMs, hint } = this.#parts;
    const texts = store.current.queue.slice(0, count);
    if (texts.length === 0) return;
    this.#commands.clear();
    store.dispatch({ kind: 'queue-taken', count });
    const text = [...texts, wholeText(store.current.composer)].filter((each) => each !== '').join('\n');
    store.dispatch({ kind: 'edit', edit: { kind: 'replace', text }, atMs: nowMs() });
    hint('What was queued is back in the prompt.');
  }
}
