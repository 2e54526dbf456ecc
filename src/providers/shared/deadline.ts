import type { ModelRequest } from '../../contracts/model/model.ts';
import type { AttemptOutcome } from './attempt.ts';
import { failed } from './attempt.ts';

/** An answer may pause for so long while it goes on behind the deadline. */
const PAUSE_MS = 60_000;
/** Deadlines that an answer may take at most. */
const LONGEST = 6;

/** Ends an attempt at the deadline of its request. A slow model needs longer for a long answer: while it comes in, the attempt goes on. */
export class Deadline {
  readonly #report: (outcome: AttemptOutcome) => void;
  #timer: NodeJS.Timeout;
  #isHeard = false;
  #lastedMs: number;
  readonly #longestMs: number;

  constructor({ deadline_ms: allMs }: ModelRequest, leftMs: number, report: (outcome: AttemptOutcome) => void) {
    this.#report = report;
    this.#lastedMs = allMs;
    this.#longestMs = allMs * LONGEST;
    this.#timer = setTimeout(() => this.#over(), Math.max(0, leftMs));
  }

  /** A part of the answer has come. */
  heard(): void {
    this.#isHeard = true;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #over(): void {
    if (!this.#isHeard || this.#lastedMs >= this.#longestMs) {
      const words = `no complete answer within ${Math.round(this.#lastedMs / 1000)} s`;
      return this.#report(failed('timeout', words, { retryable: true }));
    }
    this.#isHeard = false;
    this.#lastedMs += PAUSE_MS;
    this.#timer = setTimeout(() => this.#over(), PAUSE_MS);
  }
}
