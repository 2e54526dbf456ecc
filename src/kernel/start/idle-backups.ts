import type { Clock } from '../../contracts/ports/clock.ts';

export interface IdleBackupsOptions {
  readonly clock: Clock;
  /** Whether no run is in progress. */
  readonly isIdle: () => boolean;
  /** Number of writes so far; without new writes there is nothing to copy. */
  readonly writes: () => number;
  readonly backUp: () => Promise<unknown>;
  readonly onFault: (error: unknown) => void;
}

/** Interval of the checks whether a copy is due: a session has a copy this long after its end. */
export const LOOK_EVERY_MS = 2_000;
/**
 * Copies take at most a hundredth of the time, so that a large database is not copied after each of many short runs.
 */
export const SHARE_OF_TIME = 100;
/** Maximum time until the next copy, however long a copy takes. */
export const COPY_EVERY_MS = 30 * 60_000;
/** Wait after a fault, such as a full disk. */
export const RETRY_EVERY_MS = 60_000;

/** Copies the database as soon as the kernel is idle. A copy that fails is reported and tried again. */
export class IdleBackups {
  readonly #options: IdleBackupsOptions;
  #copiedWrites: number;
  #nextMs = Number.NEGATIVE_INFINITY;

  constructor(options: IdleBackupsOptions) {
    this.#options = options;
    this.#copiedWrites = options.writes();
  }

  /** Runs until the signal ends it. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#options.clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
      if (!signal.aborted) await this.#copyIfDue();
    }
  }

  async #copyIfDue(): Promise<void> {
    const { clock, isIdle, writes, backUp, onFault } = this.#options;
    const startedMs = clock.monotonicMs();
    const count = writes();
    if (!isIdle() || count === this.#copiedWrites || startedMs < this.#nextMs) return;
    try {
      await backUp();
      this.#copiedWrites = count;
      const tookMs = clock.monotonicMs() - startedMs;
      this.#nextMs = startedMs + Math.min(tookMs * SHARE_OF_TIME, COPY_EVERY_MS);
    } catch (error) {
      onFault(error);
      this.#nextMs = startedMs + RETRY_EVERY_MS;
    }
  }
}
