import type { Clock } from '../../contracts/ports/clock.ts';

/** A timer that runs out once and can be paused. */
export class Deadline {
  /** Resolves when the time has run out; never if it was cancelled before. */
  readonly expired: Promise<void>;
  readonly #clock: Clock;
  readonly #expire: () => void;
  #leftMs: number;
  #startedMs = 0;
  #sleeping: AbortController | null = null;

  constructor(clock: Clock, ms: number) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.expired = promise;
    this.#expire = resolve;
    this.#clock = clock;
    this.#leftMs = ms;
    this.resume();
  }

  pause(): void {
    if (this.#sleeping === null) return;
    this.#leftMs -= this.#clock.monotonicMs() - this.#startedMs;
    this.#sleeping.abort();
    this.#sleeping = null;
  }

  resume(): void {
    if (this.#sleeping !== null) return;
    const sleeping = new AbortController();
    this.#sleeping = sleeping;
    this.#startedMs = this.#clock.monotonicMs();
    this.#clock.sleep(Math.max(0, this.#leftMs), sleeping.signal).then(this.#expire, () => undefined);
  }

  cancel(): void {
    this.#sleeping?.abort();
  }
}
