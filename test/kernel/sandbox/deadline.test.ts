import { beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/contracts/ports/clock.ts';
import { Deadline } from '../../../src/kernel/sandbox/deadline.ts';

/** A clock that stands still until it is told to go on. */
function makeClock(): { clock: Clock; advance(ms: number): Promise<void> } {
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
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('a deadline', () => {
  let world: ReturnType<typeof makeClock>;
  let deadline: Deadline;
  let expired: boolean;
  beforeEach(() => {
    world = makeClock();
    expired = false;
    deadline = new Deadline(world.clock, 100);
    void deadline.expired.then(() => (expired = true));
  });

  test('runs out', async () => {
    await world.advance(99);
    expect(expired).toBe(false);
    await world.advance(1);
    expect(expired).toBe(true);
  });

  test('stands still while it is paused, and goes on from there', async () => {
    await world.advance(60);
    deadline.pause();
    deadline.pause();
    await world.advance(1000);
    expect(expired).toBe(false);
    deadline.resume();
    deadline.resume();
    await world.advance(39);
    expect(expired).toBe(false);
    await world.advance(1);
    expect(expired).toBe(true);
  });

  test('does not run out once it is cancelled', async () => {
    deadline.cancel();
    await world.advance(1000);
    expect(expired).toBe(false);
  });
});
