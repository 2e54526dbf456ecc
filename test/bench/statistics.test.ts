import { describe, expect, it } from 'vitest';
import { median, percentile, summarise } from '../../bin/bench/statistics.ts';

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('the median', () => {
  it.each([
    [[7], 7],
    [[3, 1, 2], 2],
    [[4, 1, 3, 2], 2.5],
    // By number, not by text.
    [[10, 9, 100], 10],
  ])('of %j is %d', (samples, expected) => {
    expect(median(samples)).toBe(expected);
  });
});

describe('a percentile', () => {
  it.each([
    [upTo(100), 99, 99],
    [upTo(1_000), 99, 990],
    [upTo(101), 99, 100],
    // With fewer than a hundred it is the largest.
    [upTo(99), 99, 99],
    [[5], 99, 5],
    [upTo(4), 50, 2],
    [upTo(4), 0, 1],
    [upTo(200).toReversed(), 99, 198],
  ])('of samples is one of them', (samples, percent, expected) => {
    expect(percentile(samples, percent)).toBe(expected);
  });
});

it('of nothing there is neither, rather than a figure', () => {
  expect(() => median([])).toThrow(RangeError);
  expect(() => percentile([], 99)).toThrow(RangeError);
});

it('a summary leaves its samples as they are', () => {
  const samples = [3, 1, 2];
  expect(summarise(samples)).toEqual({ samples: 3, p50: 2, p99: 3 });
  expect(samples).toEqual([3, 1, 2]);
});
