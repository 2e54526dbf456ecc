import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/platform/system/clock.ts';
import { systemRandom } from '../../../src/platform/system/random.ts';
import { sandboxIdSchema } from '../../../src/contracts/ids.ts';

describe('the system clock', () => {
  it('tells the calendar and a time that never goes back', () => {
    const before = Date.now();
    expect(systemClock.nowMs()).toBeGreaterThanOrEqual(before);
    const first = systemClock.monotonicMs();
    expect(systemClock.monotonicMs()).toBeGreaterThanOrEqual(first);
  });

  it('sleeps, and wakes with the reason of its signal', async () => {
    await systemClock.sleep(1);
    const controller = new AbortController();
    const reason = new Error('enough');
    const sleeping = systemClock.sleep(60_000, controller.signal);
    controller.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
  });
});

describe('system randomness', () => {
  it('makes ids of the contracted form, each its own', () => {
    const ids = Array.from({ length: 200 }, () => systemRandom.id('x'));
    expect(new Set(ids).size).toBe(200);
    for (const id of ids) expect(sandboxIdSchema.safeParse(id).success).toBe(true);
    expect(systemRandom.id('x', 8)).toMatch(/^x_[a-z0-9]{8}$/);
  });

  it('gives as many bytes as asked for', () => {
    expect(systemRandom.bytes(33)).toHaveLength(33);
    expect(systemRandom.bytes(33)).not.toEqual(systemRandom.bytes(33));
  });
});
