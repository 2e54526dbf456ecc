import type { TestCase } from '../../contracts/sandbox/test-run.ts';

/** Counts the results of cases. `todo` counts as skipped. */
export function countCases(cases: readonly TestCase[]): {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
} {
  const count = { passed: 0, failed: 0, skipped: 0 };
  for (const { status } of cases) count[status === 'todo' ? 'skipped' : status] += 1;
  return count;
}
