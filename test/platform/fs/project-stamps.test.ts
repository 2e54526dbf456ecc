import { describe, expect, it } from 'vitest';
import { createProjectStamps } from '../../../src/platform/fs/project-stamps.ts';

/** Walks that end when the test says so; each returns its number. */
function walks() {
  const ends: (() => void)[] = [];
  const take = (): Promise<string> => {
    const number = ends.length + 1;
    const { promise, resolve } = Promise.withResolvers<string>();
    ends.push(() => resolve(`walk ${number}`));
    return promise;
  };
  return { take, ends };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the stamps of a project', () => {
  it('take the state after one operation for that before the next, for two seconds', async () => {
    let nowMs = 0;
    let taken = 0;
    const stamps = createProjectStamps({ monotonicMs: () => nowMs });
    const take = async (): Promise<string> => `stamp ${(taken += 1)}`;
    expect(await stamps.before(take)).toBe('stamp 1');
    expect(await stamps.after(take)).toBe('stamp 2');
    nowMs = 1_999;
    expect(await stamps.before(take)).toBe('stamp 2');
    nowMs = 2_000;
    expect(await stamps.before(take)).toBe('stamp 3');
  });

  it('never take a walk that was under way for the state after an operation', async () => {
    const stamps = createProjectStamps({ monotonicMs: () => 0 });
    const { take, ends } = walks();
    const first = stamps.after(take);
    await settled();
    const second = stamps.after(take);
    const third = stamps.after(take);
    await settled();
    expect(ends).toHaveLength(1);
    ends[0]?.();
    expect(await first).toBe('walk 1');
    await settled();
    ends[1]?.();
    expect(await Promise.all([second, third])).toEqual(['walk 2', 'walk 2']);
    expect(ends).toHaveLength(2);
  });

  it('go on after a walk that failed', async () => {
    const stamps = createProjectStamps({ monotonicMs: () => 0 });
    await expect(stamps.after(() => Promise.reject(new Error('unreadable')))).rejects.toThrow('unreadable');
    expect(await stamps.before(async () => 'read')).toBe('read');
  });
});
