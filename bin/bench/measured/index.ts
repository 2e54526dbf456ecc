import type { Benchmark } from '../benchmark.ts';
import { auditAppend } from './audit-append.ts';
import { auditVerify } from './audit-verify.ts';
import { fsRead } from './fs-read.ts';
import { ipc } from './ipc.ts';
import { policy } from './policy.ts';
import { searchGlob } from './search-glob.ts';
import { searchGrep } from './search-grep.ts';
import { version } from './version.ts';

/** Everything that is measured, in the order of the page. */
export const benchmarks: readonly Benchmark[] = [
  fsRead,
  searchGrep,
  searchGlob,
  ipc,
  auditAppend,
  auditVerify,
  policy,
  version,
];
