/** What is reported about repeated timings of one thing. */
export interface Summary {
  readonly samples: number;
  readonly p50: number;
  readonly p99: number;
}

/**
 * The value that `percent` of the samples do not exceed, by nearest rank: always one that was measured. With fewer than 100 samples
 * the 99th percentile is the largest. Throws for no samples.
 */
export function percentile(samples: readonly number[], percent: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const rank = Math.max(1, Math.ceil((percent / 100) * sorted.length));
  const value = sorted[rank - 1];
  if (value === undefined) throw new RangeError('there is no percentile of no samples');
  return value;
}

/** The middle sample, or the mean of the two in the middle. Throws for no samples. */
export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  if (upper === undefined || lower === undefined) throw new RangeError('there is no median of no samples');
  return (upper + lower) / 2;
}

export function summarise(samples: readonly number[]): Summary {
  return { samples: samples.length, p50: median(samples), p99: percentile(samples, 99) };
}
