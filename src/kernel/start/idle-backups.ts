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

/** How often it is looked whether a copy is due. */
export const LOOK_EVERY_MS = 60_000;
/** At least this long between two copies. */
export const COPY_EVERY_MS = 30 * 60_000;

/** Copies of the database, made while nothing is under way. A copy that fails is reported and tried again at the next look. */
export class IdleBackups {
  readonly #options: IdleBackupsOptions;
  #copiedWrites: number;
  #copiedMs = Number.NEGATIVE_INFINITY;

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
    const now = clock.monotonicMs();
    const count = writes();
    if (!isIdle() || count === this.#copiedWrites || now - this.#copiedMs < COPY_EVERY_MS) return;
    try {
      await backUp();
      this.#copiedWrites = count;
      this.#copiedMs = now;
    } catch (error) {
      onFault(error);
    }
  }
}
