import type { Clock } from '../../contracts/ports/clock.ts';

/** Resolves with `work`. Rejects after `ms`, or with the reason of `signal`. */
export async function within(clock: Clock, ms: number, signal: AbortSignal, work: Promise<void>): Promise<void> {
  // Whatever `work` does after it was given up is handled by the clean-up.
  work.catch(() => undefined);
  const over = new AbortController();
  const limit = clock.sleep(ms, AbortSignal.any([over.signal, signal])).then(() => {
    throw new Error(`it was not ready within ${ms} ms`);
  });
  limit.catch(() => undefined);
  try {
    signal.throwIfAborted();
    await Promise.race([work, limit]);
  } finally {
    over.abort();
  }
}
