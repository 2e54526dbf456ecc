import { beforeEach, describe, expect, test } from 'vitest';
import { Deadline } from '../../../src/kernel/sandbox/deadline.ts';
import { standingClock } from '../../support/standing-clock.ts';

describe('a deadline', () => {
  let world: ReturnType<typeof standingClock>;
  let deadline: Deadline;
  let expired: boolean;
  beforeEach(() => {
    world = standingClock();
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
