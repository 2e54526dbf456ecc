import type { EvidenceReason } from '../../../contracts/model/tool-errors.ts';
import type { Baseline } from '../../../contracts/session/session-facts.ts';
import type { TestRun } from '../../../contracts/sandbox/test-run.ts';
import { whyFlaky } from '../../proof/flaky-regression.ts';
import { judgeStaged } from '../../proof/green-run.ts';
import { stagedWork } from '../../proof/in-source/staged-work.ts';
import { redFiles } from '../../proof/observations/removal.ts';
import { unusableRun } from '../../proof/red.ts';
import { collectTestFiles, isAtOrBelow, runTests } from '../../proof/run/run-tests.ts';
import { caseId } from '../../proof/test-case-id.ts';
import { countsOf, showRun, withProgress } from './suite-run.ts';
import type { TestCall } from './suite-run.ts';

/** A suite that takes less time runs whole at once. */
const LONG_SUITE_MS = 10_000;

interface LikelyFailing {
  readonly baseline: Baseline;
  /** Files and directories that the model has named. */
  readonly named: readonly string[];
}

export interface EarlyFailure {
  readonly code: EvidenceReason;
  readonly why: string;
  readonly run: TestRun;
}

/**
 * Runs the files of a long suite that are most likely to fail before the whole suite: those that were red, those that
 * failed in the last run, and those that the model has named. Only the whole suite can show that a change is ready, so
 * only a failure counts here. null: no file failed, or there is nothing to run first.
 */
export async function runLikelyFailing(
  call: TestCall,
  { baseline, named }: LikelyFailing,
): Promise<EarlyFailure | null> {
  const { services, session, workspace, command, signal } = call;
  if (baseline.kind !== 'known' || (baseline.duration_ms ?? 0) < LONG_SUITE_MS) return null;
  const { red, failing_files: failed } = session.snapshot;
  const likely = new Set([...(red === null ? [] : redFiles(red)), ...failed]);
  const all = (await collectTestFiles(workspace, command)) ?? [];
  const files = all.filter((file) => likely.has(file) || isAtOrBelow(file, named));
  if (files.length === 0 || files.length === all.length) return null;
  const site = { id: session.id, workspace, session, onCounts: countsOf(call) };
  const run = await withProgress(call, runTests(services, site, command, files, signal));
  if (unusableRun(run) !== null) return null;
  const judged = judgeStaged(services, await stagedWork(call), { run, baseline, red });
  if (judged.kind === 'green') return null;
  const isFlaky = judged.code === 'regression' && (await whyFlaky(call, { command, run, baseline })) !== null;
  if (isFlaky) return null;
  showRun(call, run);
  const { code, why } = judged;
  const left = all.length - files.length;
  return { code, why: `${why} The other ${left === 1 ? 'test file was' : `${left} test files were`} not run.`, run };
}

/** Files with cases that fail now and did not fail before the session. */
export function newlyFailingFiles(run: TestRun, baseline: Baseline): string[] {
  const before = new Set<string>(baseline.kind === 'known' ? [...baseline.failed, ...baseline.broken_files] : []);
  const failing = run.cases.filter(({ status }) => status === 'failed');
  return [
    ...new Set(failing.filter((each) => !before.has(caseId(each)) && !before.has(each.file)).map(({ file }) => file)),
  ];
}
