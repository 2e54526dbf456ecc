import type { Baseline } from '../../contracts/session/session-facts.ts';
import type { TestCommand } from '../../contracts/session/session-protocol.ts';
import type { TestRun } from '../../contracts/sandbox/test-run.ts';
import { listFirst } from '../../lib/text/list-first.ts';
import type { SessionContext } from '../services.ts';
import type { GreenOutcome } from './green.ts';
import { runTests } from './run/run-tests.ts';
import { caseId, casesById, describeCase } from './test-case-id.ts';

const MAX_NAMED = 3;

/** A run of the whole suite at green that has failures. */
interface FailedSuite {
  readonly command: TestCommand;
  readonly run: TestRun;
  readonly baseline: Baseline;
}

/**
 * Runs the test files again that contain cases which passed in the baseline and fail now. If all of these cases pass in
 * the second run, they are flaky, and the refusal says so: the source needs no change before the next run. Returns null
 * if a case fails again.
 */
export async function whyFlaky(
  { services, session, workspace, signal }: SessionContext,
  { command, run, baseline }: FailedSuite,
): Promise<Extract<GreenOutcome, { kind: 'not-green' }> | null> {
  const passed = new Set<string>(baseline.kind === 'known' ? baseline.passed : []);
  const failing = run.cases.filter((each) => each.status === 'failed' && passed.has(caseId(each)));
  const files = [...new Set(failing.map(({ file }) => file))].sort();
  if (failing.length === 0) return null;
  const again = await runTests(services, { id: session.id, workspace, session }, command, files, signal);
  const now = casesById(again.cases);
  if (failing.some((each) => now.get(caseId(each))?.status !== 'passed')) return null;
  const named = listFirst(failing.map(caseId), { max: MAX_NAMED, separator: '; ', name: describeCase });
  return {
    kind: 'not-green',
    code: 'flaky',
    why: `Failed in the whole suite, and passed when the same files ran again: ${named}. This test existed before the change, and its result differs between runs. Call test.run again. If it fails each time, the change is the reason.`,
  };
}
