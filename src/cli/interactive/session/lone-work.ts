import type { SessionRequest } from '../../../tui/commands/slash-command.ts';
import { safeLines } from '../../../tui/store/safe-text.ts';
import type { ViewStore } from '../../../tui/store/view-store.ts';
import type { ScreenMessages } from '../screen-messages.ts';

interface LoneWorkParts {
  readonly store: ViewStore;
  readonly nowMs: () => number;
  readonly remember: (text: string) => void;
  readonly messages: Pick<ScreenMessages, 'answer' | 'failed'>;
  readonly request: SessionRequest;
  readonly queue: { sendNext(): void; afterStop(): void };
}

/** Work of the person during which no run can continue. Messages sent meanwhile are queued. */
export class LoneWork {
  readonly #parts: LoneWorkParts;

  constructor(parts: LoneWorkParts) {
    this.#parts = parts;
  }

  /** A `!command`, in a sandbox. */
  script(script: string): void {
    this.#parts.remember(`!${script}`);
    void this.#run(() => this.#parts.request('session.run', { script }));
  }

  /** A `#note`, proposed as a commit. */
  note(text: string): void {
    const { store, remember, request, messages } = this.#parts;
    remember(`#${text}`);
    store.dispatch({ kind: 'say', item: { kind: 'user', lines: safeLines(`#${text}`) } });
    void this.#run(async () => {
      const { outcome, message } = await request('session.note', { text });
      if (outcome === 'refused') messages.answer(`The note was not written; press Up to edit it again. ${message}`);
    });
  }

  /** Never rejects. */
  async #run(work: () => Promise<unknown>): Promise<void> {
    const { store, nowMs, messages, queue } = this.#parts;
    store.dispatch({ kind: 'run-started', atMs: nowMs(), command: true });
    await work().catch(messages.failed);
    const { run, card } = store.current;
    // A queued message may already run.
    if (run.kind === 'running' && run.command !== true) return;
    store.dispatch({ kind: 'command-ended' });
    // A person who stopped it has also stopped the queued messages.
    if (run.kind === 'running' && run.interrupting) queue.afterStop();
    else if (card === null) queue.sendNext();
  }
}
