import { assertNever } from '../../lib/assert-never.ts';
import type { TestRun } from '../../contracts/sandbox/test-run.ts';
import type { TestSandboxResult } from '../../contracts/ports/sandboxes.ts';
import type { ExecutedLines } from './executed-lines.ts';
import type { FileReport, PlanInput, Runner } from './runner.ts';

/** The reason that a runner program of fluffy prints if it cannot run the tests, and the frames of its own stack. */
const OWN_REASON = /^fluffy: (the tests could not be run: .+)$/m;
const OWN_FRAME = /^ +at .*(?:\/opt\/fluffy\/|node:internal\/)/;
/** Lines shown at the start and at the end of a crashed runner's output. */
const SHOWN_LINES = 8;

/**
 * Pure: judges the result of a finished sandbox. An exit code alone is no evidence. A report is valid only if it
 * contains its canaries and matches the exit code.
 */
export function judgeRun(runner: Runner, plan: PlanInput, result: TestSandboxResult): TestRun {
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
      runner.believableExitCodes.includes(result.exit.code) ? 'invalid' : 'crashed',
      `${ownReason(result.output) ?? `The runner left no report and exited with ${result.exit.code}.`}${bothEnds(result.output)}`,
    );
  }
  if (result.reportTruncated)
    return nothing(
      'invalid',
      'The test report is larger than the kernel reads: test.max_report in your own configuration allows more.',
    );

  const parsed = runner.parse(plan, result);
  if (parsed.kind === 'invalid') return nothing('invalid', parsed.why);
  return { ...base, ...outcomeOf(runner, parsed.files, result.exit.code) };
}

/** Pure: returns the executed lines of a finished run; null if none were counted. */
export function executedLines(runner: Runner, plan: PlanInput, result: TestSandboxResult): ExecutedLines | null {
  if (result.report === null || result.report.length === 0 || result.reportTruncated) return null;
  const parsed = runner.parse(plan, result);
  return parsed.kind === 'files' ? (parsed.executed ?? null) : null;
}

/** Pure: returns the outcome of a run from the reports of its files and its exit code. */
export function outcomeOf(
  runner: Runner,
  files: readonly FileReport[],
  exitCode: number,
): Pick<TestRun, 'outcome' | 'why' | 'cases' | 'files'> {
  const nothing = { cases: [], files: [] };
  const [tampered] = files.flatMap((each) => each.tampered ?? []);
  if (tampered !== undefined) return { ...nothing, outcome: 'tampered', why: tampered };
  if (!runner.believableExitCodes.includes(exitCode)) {
    const why = `The runner exited with ${exitCode}, which a run with a failing canary cannot end with.`;
    return { ...nothing, outcome: exitCode === 0 ? 'tampered' : 'crashed', why };
  }
  const cases = files.flatMap((each) => each.cases);
  return {
    outcome: cases.some((each) => each.status === 'failed') ? 'failed' : 'passed',
    cases,
    files: files.filter((each) => each.collected).map((each) => each.file),
  };
}

/**
 * A crashed runner prints the reason first, then a stack with its own frames, and a summary at the end. So both ends
 * are shown.
 */
function bothEnds(output: string): string {
  const lines = output
    .trim()
    .split('\n')
    .filter((line) => !OWN_FRAME.test(line) && !OWN_REASON.test(line));
  if (lines.length <= SHOWN_LINES * 2) return lines.join('') === '' ? '' : `\n${lines.join('\n')}`;
  const left = lines.length - SHOWN_LINES * 2;
  return `\n${[...lines.slice(0, SHOWN_LINES), `… ${left} lines left out …`, ...lines.slice(-SHOWN_LINES)].join('\n')}`;
}

function ownReason(output: string): string | null {
  const said = OWN_REASON.exec(output)?.[1];
  return said === undefined ? null : `${said[0]?.toUpperCase()}${said.slice(1)}.`;
}
