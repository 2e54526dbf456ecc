import type { Baseline } from '../../contracts/session/session-facts.ts';
import type { TestRun } from '../../contracts/sandbox/test-run.ts';
import { casesById } from './test-case-id.ts';
import type { TestCaseId } from './test-case-id.ts';

/**
 * Returns which cases passed, failed or were skipped in a run of the whole suite, before the session changed anything.
 */
export function baselineOf(run: TestRun): Baseline {
  if (run.outcome !== 'passed' && run.outcome !== 'failed') {
    return { kind: 'unknown', why: `${run.outcome}${run.why === undefined ? '' : `: ${run.why}`}` };
  }
  const passed: TestCaseId[] = [];
  const failed: TestCaseId[] = [];
  const skipped: TestCaseId[] = [];
  const broken = new Set<string>();
  for (const [id, each] of casesById(run.cases)) {
    if (each.status === 'passed') passed.push(id);
    else if (each.status === 'failed' && isLoadFailure(each.failure?.kind)) broken.add(each.file);
    else if (each.status === 'failed') failed.push(id);
    else skipped.push(id);
  }
  return { kind: 'known', passed, failed, skipped, broken_files: [...broken], duration_ms: run.duration_ms };
}

function isLoadFailure(kind: string | undefined): boolean {
  return kind === 'load' || kind === 'crash';
}
