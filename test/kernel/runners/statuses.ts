import type { TestRun } from '../../../src/contracts/sandbox/test-run.ts';

/** How each case of a run ended, by its file and name. */
export function statuses(run: TestRun): Record<string, string> {
  return Object.fromEntries(run.cases.map((each) => [`${each.file} ${each.name}`, each.status]));
}
