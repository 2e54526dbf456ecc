import { describe, expect, test } from 'vitest';
import { readRetryAfterMs, retryDelayMs } from '../../../src/providers/shared/retry-delay.ts';

describe('retryDelayMs', () => {
  test.each([
    [1, 0, 250],
    [1, 0.999999, 500],
    [2, 0, 500],
    [5, 0.999999, 8_000],
    [7, 0.999999, 30_000],
    [1_000, 0.5, 22_500],
  ])('after %i failures with luck %f it is %i ms', (failures, random, expected) => {
    expect(retryDelayMs(failures, null, random)).toBe(expected);
  });

  test.each([0, 1, 700, 5_000, 90_000])(
    'is never less than the %i ms the server asked for, and little more',
    (asked) => {
      for (const random of [0, 0.5, 0.99]) {
        const delay = retryDelayMs(1, asked, random);
        expect(delay).toBeGreaterThanOrEqual(asked);
        expect(delay).toBeLessThanOrEqual(Math.max(retryDelayMs(1, null, random), asked * 1.1 + 1));
      }
    },
  );

  test.each([0, 1, 2_000])('grows with the failures of a server that says %i ms each time', (asked) => {
    for (const failures of [1, 4, 7])
      expect(retryDelayMs(failures, asked, 0.5)).toBeGreaterThanOrEqual(retryDelayMs(failures, null, 0.5));
  });
});

describe('readRetryAfterMs', () => {
  const nowMs = Date.parse('2026-01-01T00:00:00Z');

  test.each<[Record<string, string>, number | null]>([
    [{ 'retry-after-ms': '1500' }, 1_500],
    [{ 'retry-after-ms': '12.5' }, 13],
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1_500],
    [{ 'retry-after': '2' }, 2_000],
    [{ 'retry-after': '0.25' }, 250],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT' }, 7_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 23:59:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, null],
    [{ 'retry-after-ms': '-5', 'retry-after': 'x' }, null],
    [{}, null],
  ])('%j is %j', (headers, expected) => {
    expect(readRetryAfterMs((name) => headers[name] ?? null, nowMs)).toBe(expected);
  });
});
