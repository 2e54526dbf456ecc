import type { Clock } from '../../src/contracts/ports/clock.ts';

/** A clock that stands still until it is told to go on. */
export function standingClock(): { readonly clock: Clock; advance(ms: number): Promise<void> } {
  let now = 0;
  const sleeping = new Set<{ readonly until: number; wake(): void }>();
  return {
    clock: {
      nowMs: () => now,
      monotonicMs: () => now,
      sleep: (ms, signal) => {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        const entry = { until: now + ms, wake: resolve };
        sleeping.add(entry);
        signal?.addEventListener('abort', () => {
          sleeping.delete(entry);
          reject(signal.reason as Error);
        });
        return promise;
      },
    },
    advance: async (ms) => {
      now += ms;
      for (const entry of sleeping) if (entry.until <= now) entry.wake();
      await settle();
    },
  };
}

/** Lets everything happen that waits for nothing but its turn. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
