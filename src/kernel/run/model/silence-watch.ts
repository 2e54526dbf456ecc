import type { Clock } from '../../../contracts/ports/clock.ts';

/** A provider that sends nothing for so long is reported, and again each time that twice as long has passed. */
const SILENT_AFTER_MS = 30_000;

/** Notices that a provider sends nothing while it is asked. It decides nothing: the request goes on. */
export class SilenceWatch {
  readonly #clock: Clock;
  readonly #report: (silentMs: number) => void;
  readonly #over = new AbortController();
  #heardMs: number;
  #reportAfterMs = SILENT_AFTER_MS;

  /** Watches from now on, until it is closed. `report` may be called at any moment in between. */
  constructor(clock: Clock, report: (silentMs: number) => void) {
    this.#clock = clock;
    this.#report = report;
    this.#heardMs = clock.monotonicMs();
    // It ends by the abort of its sleep.
    this.#watch().catch(() => undefined);
  }

  /** The provider has sent something; `pauseMs`: and has announced that nothing follows for so long. */
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
      // What is heard meanwhile puts the moment off: it is looked at again then.
      await this.#clock.sleep(this.#reportAfterMs - silentMs, this.#over.signal);
    }
  }
}
