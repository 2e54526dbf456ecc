import type { Benchmark } from '../benchmark.ts';
import { fsRead } from './fs-read.ts';
import { searchGlob } from './search-glob.ts';
import { searchGrep } from './search-grep.ts';

/** Everything that is measured, in the order of the page. */
export const benchmarks: readonly Benchmark[] = [fsRead, searchGrep, searchGlob];
