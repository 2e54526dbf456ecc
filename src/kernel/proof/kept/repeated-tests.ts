import type { TestRun } from '../../../contracts/sandbox/test-run.ts';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import type { SessionContext } from '../../services.ts';
import type { Observed } from '../observations/observe.ts';
import { listFirst } from '../../../lib/text/list-first.ts';
import { unusableRun } from '../red.ts';
import { runTests } from '../run/run-tests.ts';
import { casesById, describeCase } from '../test-case-id.ts';
import type { TestCaseId } from '../test-case-id.ts';

const MAX_NAMED = 5;

export interface Repeated extends Observed {
  /** Ids of cases that passed at green and did not pass in the next run of the same files. */
  readonly flaky: readonly string[];
}

/** Runs test files again. `passed` are the ids of their cases that passed at green. */
export async function observeRepeated(
  { services, session, workspace, signal }: SessionContext,
  command: TestCommand,
  passed: readonly string[],
  files: readonly string[],
): Promise<Repeated> {
  const run = await runTests(services, { id: session.id, workspace, session }, command, files, signal);
  return judgeRepeated(passed, run);
}

/** Pure: judges the second run. */
export function judgeRepeated(passed: readonly string[], run: TestRun): Repeated {
  const unusable = unusableRun(run);
  if (unusable !== null) return { outcome: 'impossible', detail: unusable.why, flaky: [] };
  const again = casesById(run.cases);
  const flaky = passed.filter((id) => again.get(id as TestCaseId)?.status !== 'passed');
  if (flaky.length === 0) return { outcome: 'held', detail: `all ${passed.length} pass again`, flaky };
  const named = listFirst(flaky, { max: MAX_NAMED, separator: '; ', name: (id) => describeCase(id as TestCaseId) });
  return { outcome: 'failed', detail: `two runs of the same files gave different results: ${named}`, flaky };
}
