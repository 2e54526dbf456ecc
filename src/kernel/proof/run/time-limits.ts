import type { Baseline } from '../../../contracts/session/session-facts.ts';
import type { TestRun } from '../../../contracts/sandbox/test-run.ts';

const MIN_MS = 3_000;
const CASE_SHARE = 0.9;
const MIN_RUN_MS = 10_000;
/** Before green it is not known how long a new case takes. */
const MIN_BEFORE_GREEN_MS = 20_000;

/**
 * The time limit of a case on a tree on which it may wait for what never comes: a mutant, or the tests without the
 * source. A group of cases has the same limit, so it is derived from the time of the whole suite at green.
 */
export function caseLimitMs({ duration_ms: suiteMs }: Pick<TestRun, 'duration_ms'>): number {
  return MIN_MS + 2 * suiteMs;
}

/** The time limit of a run on a tree on which tests may never end, such as a mutant. */
export function brokenRunLimitMs({ duration_ms: suiteMs }: Pick<TestRun, 'duration_ms'>): number {
  return MIN_RUN_MS + 4 * suiteMs;
}

/** The time limit of a case is below that of its run, so that the case fails and not the run. */
export function caseLimitIn(deadlineMs: number, caseMs = Infinity): number {
  return Math.floor(Math.min(caseMs, CASE_SHARE * deadlineMs));
}

/** The time limit of a case for the red run, from the time of the suite before the session. */
export function redCaseLimitMs(baseline: Baseline): number {
  const suiteMs = baseline.kind === 'known' ? (baseline.duration_ms ?? 0) : 0;
  return MIN_BEFORE_GREEN_MS + 2 * suiteMs;
}
