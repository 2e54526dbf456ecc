import { describe, expect, it } from 'vitest';
import {
  COPY_EVERY_MS,
  IdleBackups,
  LOOK_EVERY_MS,
  RETRY_EVERY_MS,
  SHARE_OF_TIME,
} from '../../../src/kernel/start/idle-backups.ts';
import { settle, standingClock } from '../../support/standing-clock.ts';

function scene() {
  const { clock, advance } = standingClock();
  const state = { idle: true, writes: 5, copies: 0, failing: false, takesMs: 0 };
  const faults: unknown[] = [];
  const ending = new AbortController();
  const backups = new IdleBackups({
    clock,
    isIdle: () => state.idle,
    writes: () => state.writes,
    backUp: async () => {
      if (state.failing) throw new Error('disk full');
      state.copies += 1;
      if (state.takesMs > 0) await advance(state.takesMs);
    },
    onFault: (error) => faults.push(error),
  });
  const ended = backups.run(ending.signal);
  const look = async (times = 1) => {
    for (let time = 0; time < times; time += 1) {
      await advance(LOOK_EVERY_MS);
      await settle();
    }
  };
  return { state, faults, look, end: () => (ending.abort(), ended) };
}

describe('copies of the database', () => {
  it('are made when something was written, and only then', async () => {
    const { state, look } = scene();
    await look(3);
    expect(state.copies).toBe(0);
    state.writes += 1;
    await look(3);
    expect(state.copies).toBe(1);
  });

  it('wait until nothing is under way', async () => {
    const { state, look } = scene();
    state.writes += 1;
    state.idle = false;
    await look(5);
    expect(state.copies).toBe(0);
    state.idle = true;
    await look();
    expect(state.copies).toBe(1);
  });

  it('are there a moment after each run', async () => {
    const { state, look } = scene();
    for (let run = 1; run <= 3; run += 1) {
      state.idle = false;
      state.writes += 1;
      await look(5);
      state.idle = true;
      await look();
      expect(state.copies).toBe(run);
    }
  });

  it('that take long are not made one after the other, and are made again within half an hour', async () => {
    const { state, look } = scene();
    const copiesIn = async (ms: number) => {
      const before = state.copies;
      for (let passed = 0; passed < ms; passed += LOOK_EVERY_MS) {
        state.writes += 1;
        await look();
      }
      return state.copies - before;
    };
    state.takesMs = LOOK_EVERY_MS;
    expect(await copiesIn(4 * SHARE_OF_TIME * LOOK_EVERY_MS)).toBeLessThanOrEqual(5);
    state.takesMs = COPY_EVERY_MS / 2;
    await copiesIn(SHARE_OF_TIME * LOOK_EVERY_MS);
    expect([1, 2]).toContain(await copiesIn(COPY_EVERY_MS));
  });

  it('that fail are reported and tried again', async () => {
    const { state, faults, look } = scene();
    state.writes += 1;
    state.failing = true;
    await look(1 + RETRY_EVERY_MS / LOOK_EVERY_MS);
    expect(faults).toHaveLength(2);
    state.failing = false;
    await look(RETRY_EVERY_MS / LOOK_EVERY_MS);
    expect(state.copies).toBe(1);
  });

  it('end with the kernel', async () => {
    const { state, look, end } = scene();
    await end();
    state.writes += 1;
    await look();
    expect(state.copies).toBe(0);
  });
});
