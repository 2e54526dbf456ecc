import { describe, expect, it } from 'vitest';
import { COPY_EVERY_MS, IdleBackups, LOOK_EVERY_MS } from '../../../src/kernel/start/idle-backups.ts';
import { settle, standingClock } from '../../support/standing-clock.ts';

function scene() {
  const { clock, advance } = standingClock();
  const state = { idle: true, writes: 5, copies: 0, failing: false };
  const faults: unknown[] = [];
  const ending = new AbortController();
  const backups = new IdleBackups({
    clock,
    isIdle: () => state.idle,
    writes: () => state.writes,
    backUp: () => {
      if (state.failing) return Promise.reject(new Error('disk full'));
      state.copies += 1;
      return Promise.resolve();
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

  it('are not made one after the other', async () => {
    const { state, look } = scene();
    const looks = COPY_EVERY_MS / LOOK_EVERY_MS;
    for (let minute = 0; minute < 2 * looks; minute += 1) {
      state.writes += 1;
      await look();
    }
    expect(state.copies).toBe(2);
  });

  it('that fail are reported and tried again', async () => {
    const { state, faults, look } = scene();
    state.writes += 1;
    state.failing = true;
    await look(2);
    expect(faults).toHaveLength(2);
    state.failing = false;
    await look();
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
