import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';

/** The kernel's time to end a run in order, after a signal and after `--max-duration`. */
const AFTER_SIGNAL_MS = 10_000;
const AFTER_DURATION_MS = 15_000;

export interface EndTimers {
  /** Calls back once after a delay, unless the returned function was called before. */
  readonly after: (ms: number, callback: () => void) => () => void;
}

/**
 * Ends a run without the kernel if the kernel does not end it: `ended` rejects with the reason. The kernel's own end comes first, unless it hangs,
 * because each limit has additional time here.
 */
export class HardEnd {
  readonly ended: Promise<never>;
  readonly #reject: (error: FluffyError) => void;
  readonly #after: EndTimers['after'];
  #duration: () => void = () => undefined;
  #signal: () => void = () => undefined;

  constructor({ after }: EndTimers) {
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => undefined);
    this.ended = promise;
    this.#reject = reject;
    this.#after = after;
  }

  /** Starts the timer of `--max-duration`, or restarts it. `onLimit` still informs the kernel. */
  limitDuration(maxMs: number | undefined, onLimit: () => void): void {
    this.#duration();
    if (maxMs === undefined) return;
    this.#duration = this.#after(maxMs + AFTER_DURATION_MS, () => {
      onLimit();
      this.#reject(
        unanswered(
          `--max-duration is over, and ${AFTER_DURATION_MS / 1000} s later the kernel had not ended the run`,
          EXIT.limit,
        ),
      );
    });
  }

  /** The kernel was requested to end the run for this signal. */
  signalled(signal: 'interrupt' | 'terminate'): void {
    this.#signal();
    const name = signal === 'interrupt' ? 'SIGINT' : 'SIGTERM';
    this.#signal = this.#after(AFTER_SIGNAL_MS, () =>
      this.#reject(
        unanswered(
          `the kernel had not ended the run ${AFTER_SIGNAL_MS / 1000} s after ${name}`,
          signal === 'interrupt' ? EXIT.interrupted : EXIT.terminated,
        ),
      ),
    );
  }

  stop(): void {
    this.#duration();
    this.#signal();
  }
}

function unanswered(why: string, exitCode: 5 | 130 | 143): FluffyError {
  return new FluffyError({
    code: 'kernel_unresponsive',
    what: 'The run ended without an answer of the kernel',
    why,
    fix: 'fluffy session show prints its progress; staged work is kept',
    exitCode,
  });
}
