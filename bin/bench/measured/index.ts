import type { Benchmark } from '../benchmark.ts';
import { auditAppend } from './audit-append.ts';
import { auditVerify } from './audit-verify.ts';
import { firstFrame } from './first-frame.ts';
import { keys } from './keys.ts';
import { fsRead } from './fs-read.ts';
import { fsWrite } from './fs-write.ts';
import { ipc } from './ipc.ts';
import { kernelOpen } from './kernel-open.ts';
import { kernelStart } from './kernel-start.ts';
import { longSession } from './long-session.ts';
import { policy } from './policy.ts';
import { proofCost } from './proof-cost.ts';
import { searchGlob } from './search-glob.ts';
import { searchGrep } from './search-grep.ts';
import { sessionCost } from './session-cost.ts';
import { sessionEvent } from './session-event.ts';
import { shortTask } from './short-task.ts';
import { strictRun } from './strict-run.ts';
import { version } from './version.ts';

/** Everything that is measured, in the order of the page. */
export const benchmarks: readonly Benchmark[] = [
  fsWrite,
  fsRead,
  searchGrep,
  searchGlob,
  ipc,
  auditAppend,
  auditVerify,
  kernelOpen,
  kernelStart,
  sessionEvent,
  sessionCost,
  longSession,
  policy,
  version,
  firstFrame,
  keys,
  strictRun,
  shortTask,
  proofCost,
];
