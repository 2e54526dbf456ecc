import type { ViewStore } from '../../../tui/store/view-store.ts';
import type { SessionKernel } from './session-kernel.ts';

/** A little less than the time for which the kernel keeps sandboxes ready. */
const WARM_FOR_MS = 110_000;

interface WarmSessionParts {
  readonly store: ViewStore;
  readonly nowMs: () => number;
  /** null: not connected yet. */
  readonly kernel: () => SessionKernel | null;
}

/** Has sandboxes prepared while a message is typed, at the first key after a pause. */
export class WarmSession {
  readonly #parts: WarmSessionParts;
  /** When the kernel last prepared them for this session. */
  #warmAtMs = -Infinity;

  constructor(parts: WarmSessionParts) {
    this.#parts = parts;
  }

  /** A run leaves its sandboxes ready. */
  runEnded(): void {
    this.#warmAtMs = this.#parts.nowMs();
  }

  typed(): void {
    const { store, nowMs } = this.#parts;
    const kernel = this.#parts.kernel();
    const { sessionId, run } = store.current;
    if (kernel === null || sessionId === null || run.kind === 'running') return;
    if (nowMs() - this.#warmAtMs < WARM_FOR_MS) return;
    this.#warmAtMs = nowMs();
    kernel.request('session.warm', { session_id: sessionId }).catch(() => undefined);
  }
}
