import type { Clock } from '../../../contracts/ports/clock.ts';

/** A provider that sends nothing for this time is reported, and again each time the silence has doubled. */
const SILENT_AFTER_MS = 30_000;

/** Notices that a provider sends nothing during a request. It only reports; the request continues. */
export class SilenceWatch {
  readonly #clock: Clock;
  readonly #report: (silentMs: number) => void;
  readonly #over = new AbortController();
  #heardMs: number;
  #reportAfterMs = SILENT_AFTER_MS;

  /** Watches from now on until it is closed. `report` may be called at any moment in between. */
  constructor(clock: Clock, report: (silentMs: number) => void) {
    this.#clock = clock;
    this.#report = report;
    this.#heardMs = clock.monotonicMs();
    // The loop ends when its sleep is aborted.
    this.#watch().catch(() => undefined);
  }

  /** The provider has sent something. `pauseMs`: it announced that nothing follows for this time. */
  heard(pauseMs = 0): void {
    this.#heardMs = this.#clock.monotonicMs() + pauseMs;
    this.#reportAfterMs = SILENT_AFTER_MS;
  }

  close(): void {
    this.#over.abort();
  }

  async #watch(): Promise<void> {
    for (;;) {
      const silentMs = this.#clock.monotonicMs() - this.#heardMs;
      if (silentMs >= this.#reportAfterMs) {
        this.#report(silentMs);
        this.#reportAfterMs *= 2;
      }
      // If something arrived meanwhile, the loop waits again for the rest of the time.
      await this.#clock.sleep(this.#reportAfterMs - silentMs, this.#over.signal);
    }
  }
}
