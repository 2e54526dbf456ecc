import type { Summary } from './statistics.ts';

/** One measured thing, in a file of its own under measured/. */
export interface Benchmark {
  /** What a filter is compared with. */
  readonly name: string;
  /** What is timed, and against what. */
  readonly what: string;
  /** One honest sentence: where the time goes. */
  readonly dominates: string;
  measure(bench: Bench): Promise<Measurement>;
}

/** What a benchmark is given. */
export interface Bench {
  /** The checkout, with its bundles in `dist/`. */
  readonly root: string;
  /** A directory of its own on a disk that keeps what is synced; removed afterwards. */
  readonly directory: string;
}

export interface Measurement {
  readonly tables: readonly Table[];
  /** What was counted and not timed. */
  readonly counts?: readonly CountTable[];
  readonly verdicts: readonly Verdict[];
}

/** Times of things that were measured side by side. */
export interface Table {
  readonly title: string;
  readonly unit: 'ms' | 'µs';
  readonly rows: readonly Row[];
}

export interface Row {
  readonly name: string;
  readonly summary: Summary;
}

/** Cells as they are printed; the first of a row names it. */
export interface CountTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A figure with its target. */
export interface Verdict {
  readonly what: string;
  readonly value: number;
  /** '' for a ratio. */
  readonly unit: '' | 'ms' | 'µs' | 'events/s' | 'MiB';
  /** Null without a target: the figure is still reported. */
  readonly aim: { readonly kind: 'at most' | 'at least'; readonly value: number } | null;
}

export function isMet({ value, aim }: Verdict): boolean | null {
  if (aim === null) return null;
  return aim.kind === 'at most' ? value <= aim.value : value >= aim.value;
}
