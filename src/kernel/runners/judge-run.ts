import { assertNever } from '../../lib/assert-never.ts';
import type { TestRun } from '../../contracts/test-run.ts';
import type { TestSandboxResult } from '../../contracts/ports/sandboxes.ts';
import type { PlanInput, RunnerAdapter } from './runner-adapter.ts';

/** Of each end of a crashed runner's output. */
const SHOWN_LINES = 8;

/**
 * Pure: what a finished sandbox amounts to. An exit code is no evidence, and a report is none either until its canaries are there and it
 * agrees with the exit status.
 */
export function judgeRun(adapter: RunnerAdapter, plan: PlanInput, result: TestSandboxResult): TestRun {
  const base = {
    requested: [...plan.files],
    exit: result.exit,
    duration_ms: result.durationMs,
    output: result.output,
  };
  const nothing = (outcome: TestRun['outcome'], why: string): TestRun => ({
    ...base,
    outcome,
    why,
    cases: [],
    files: [],
  });

  switch (result.exit.kind) {
    case 'timed-out':
      return nothing('timeout', `The tests were stopped after ${Math.round(result.exit.after_ms / 1000)} s.`);
    case 'out-of-memory':
      return nothing('out_of_memory', 'The tests used more memory than the sandbox has.');
    case 'signalled':
      return nothing('killed', `The runner was ended by ${result.exit.signal}.`);
    case 'exited':
      break;
    default:
      return assertNever(result.exit);
  }

  if (result.report === null || result.report.length === 0) {
    return nothing(
      adapter.believableExitCodes.includes(result.exit.code) ? 'invalid' : 'crashed',
      `The runner left no report and exited with ${result.exit.code}.${bothEnds(result.output)}`,
    );
  }
  if (result.reportTruncated) return nothing('invalid', 'The test report is larger than the kernel reads.');

  const parsed = adapter.parse(plan, result);
  switch (parsed.kind) {
    case 'invalid':
      return nothing('invalid', parsed.why);
    case 'tampered':
      return nothing('tampered', parsed.why);
    case 'cases': {
      if (!adapter.believableExitCodes.includes(result.exit.code)) {
        const why = `The runner exited with ${result.exit.code}, which a run with a failing canary cannot end with.`;
        return nothing(result.exit.code === 0 ? 'tampered' : 'crashed', why);
      }
      const failed = parsed.cases.some((each) => each.status === 'failed');
      return { ...base, outcome: failed ? 'failed' : 'passed', cases: [...parsed.cases], files: [...parsed.files] };
    }
    default:
      return assertNever(parsed);
  }
}

/** A runner that crashes says why first, with a stack of its own frames after it, and a summary last: both ends, not the middle. */
function bothEnds(output: string): string {
  const lines = output.trim().split('\n');
  if (lines.length <= SHOWN_LINES * 2) return lines[0] === '' ? '' : `\n${lines.join('\n')}`;
  const left = lines.length - SHOWN_LINES * 2;
  return `\n${[...lines.slice(0, SHOWN_LINES), `… ${left} lines left out …`, ...lines.slice(-SHOWN_LINES)].join('\n')}`;
}
