import { unitedLines } from '../../runners/executed-lines.ts';
import type { ExecutedLines } from '../../runners/executed-lines.ts';
import type { TestCase, TestRun } from '../../../contracts/sandbox/test-run.ts';

/** One attempt to run tests. */
export interface Attempt {
  /** `false`: the view or the sandbox could not be made, or was lost. The run then says nothing about the tests. */
  readonly made: boolean;
  readonly run: TestRun;
  /** null if lines were not counted. */
  readonly executed: ExecutedLines | null;
}

/**
 * Pure: merges the runs of the parts of a command into one run. A part without a valid result becomes one failure for
 * each of its files, so it neither passes nor hides the results of the other parts. A part that was tampered with, or
 * whose sandbox could not be made, decides the result of all.
 */
export function mergeAttempts(attempts: readonly [Attempt, ...Attempt[]]): Attempt {
  const [first] = attempts;
  const decisive =
    attempts.find(({ made }) => !made) ??
    attempts.find(({ run }) => run.outcome === 'tampered') ??
    (attempts.every(({ run }) => !isJudged(run)) ? first : undefined);
  if (decisive !== undefined) return decisive;
  const runs = attempts.map(({ run }) => (isJudged(run) ? run : asFailures(run)));
  const hidden = runs.flatMap((run) => run.hidden ?? []);
  return {
    made: true,
    run: {
      outcome: runs.some(({ outcome }) => outcome === 'failed') ? 'failed' : 'passed',
      cases: runs.flatMap(({ cases }) => cases),
      files: runs.flatMap(({ files }) => files),
      requested: runs.flatMap(({ requested }) => requested),
      exit: (runs.find(({ outcome }) => outcome === 'failed') ?? first.run).exit,
      duration_ms: runs.reduce((sum, run) => sum + run.duration_ms, 0),
      output: runs.map(({ output }) => output).join(''),
      ...(hidden.length === 0 ? {} : { hidden }),
    },
    executed: unitedLines(attempts.map(({ executed }) => executed)),
  };
}

function isJudged({ outcome }: TestRun): boolean {
  return outcome === 'passed' || outcome === 'failed';
}

function asFailures(run: TestRun): TestRun {
  const message = `The tests of this package did not run (${run.outcome}): ${run.why ?? 'no reason known'}`;
  const cases = run.requested.map((file): TestCase => ({
    file,
    name: '(file)',
    status: 'failed',
    duration_ms: 0,
    failure: { kind: 'crash', message },
  }));
  return { ...run, outcome: 'failed', cases, files: run.requested };
}
