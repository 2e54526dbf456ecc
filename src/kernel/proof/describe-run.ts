import type { TestRun } from '../../contracts/test-run.ts';
import { countCases } from '../runners/count-cases.ts';
import { hiddenNote } from '../access/hidden-note.ts';

const MAX_FAILURES = 20;
const MAX_MESSAGE = 1500;
const MAX_OUTPUT = 3000;

/** A test run as text for the model: failures first, with their messages. */
export function describeRun(run: TestRun): string {
  if (run.outcome !== 'passed' && run.outcome !== 'failed') {
    const text = `Test run ${run.outcome}: ${run.why ?? 'no reason known'}\n${run.output.slice(-MAX_OUTPUT)}`.trim();
    return [text, ...noteOf(run)].join('\n');
  }
  const failures = run.cases.filter((each) => each.status === 'failed');
  const { passed, skipped } = countCases(run.cases);
  const head = `${failures.length} failed, ${passed} passed${skipped > 0 ? `, ${skipped} skipped` : ''} in ${run.files.length} files`;
  const shown = failures
    .slice(0, MAX_FAILURES)
    .map(
      (each) =>
        `✗ ${each.file} › ${each.name}\n  ${(each.failure?.message ?? '').slice(0, MAX_MESSAGE).replaceAll('\n', '\n  ')}`,
    );
  const more = failures.length > MAX_FAILURES ? [`… and ${failures.length - MAX_FAILURES} more`] : [];
  return [head, ...shown, ...more, ...(failures.length === 0 ? [] : noteOf(run))].join('\n');
}

/** A failure may be caused by a file that policy hides. */
function noteOf(run: TestRun): string[] {
  const note = hiddenNote(run.hidden ?? [], saidBy(run));
  return note === null ? [] : [note];
}

/** All output of a run that may name a file. */
export function saidBy(run: TestRun): string {
  return [run.output, run.why ?? '', ...run.cases.map((each) => each.failure?.message ?? '')].join('\n');
}
