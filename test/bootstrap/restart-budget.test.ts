import { expect, test } from 'vitest';
import { decideRestart } from '../../src/bootstrap/restart-budget.ts';

const policy = { maxRestarts: 3, windowMs: 300_000, backoffMs: 500 };

test.each([
  { restarts: [], nowMs: 10, expected: { kind: 'restart', afterMs: 500, restarts: [10] } },
  { restarts: [10], nowMs: 20, expected: { kind: 'restart', afterMs: 1000, restarts: [10, 20] } },
  { restarts: [10, 20], nowMs: 30, expected: { kind: 'restart', afterMs: 2000, restarts: [10, 20, 30] } },
  { restarts: [10, 20, 30], nowMs: 40, expected: { kind: 'give-up' } },
  { restarts: [10, 20, 30], nowMs: 300_009, expected: { kind: 'give-up' } },
  {
    restarts: [10, 20, 30],
    nowMs: 300_010,
    expected: { kind: 'restart', afterMs: 2000, restarts: [20, 30, 300_010] },
  },
  { restarts: [10, 20, 30], nowMs: 400_000, expected: { kind: 'restart', afterMs: 500, restarts: [400_000] } },
])('after restarts at $restarts, a death at $nowMs', ({ restarts, nowMs, expected }) => {
  expect(decideRestart(restarts, nowMs, policy)).toEqual(expected);
});
