import type { Clock } from '../../contracts/ports/clock.ts';

export interface IdleBackupsOptions {
  readonly clock: Clock;
  /** No run is under way. */
  readonly isIdle: () => boolean;
  /** Number of writes so far: without a new one there is nothing to copy. */
  readonly writes: () => number;
  readonly backUp: () => Promise<unknown>;
  readonly onFault: (error: unknown) => void;
}

/** How often it is looked whether a copy is due: this long after its end a session has one. */
export const LOOK_EVERY_MS = 2_000;
/** Copies take at most a hundredth of the time: a large database is not copied after each of many short runs. */
export const SHARE_OF_TIME = 100;
/** However long a copy takes, the next one is due after this. */
export const COPY_EVERY_MS = 30 * 60_000;
/** After a fault, such as a full disk. */
export const RETRY_EVERY_MS = 60_000;

/** Copies of the database, made as soon as nothing is under way. A copy that fails is reported and tried again. */
export class IdleBackups {
  readonly #options: IdleBackupsOptions;
  #copiedWrites: number;
  #nextMs = Number.NEGATIVE_INFINITY;

  constructor(options: IdleBackupsOptions) {
    this.#options = options;
    this.#copiedWrites = options.writes();
  }

  /** Until the signal ends it. Never rejects. */
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
