import type { TestCase, TestRun } from '../../../contracts/sandbox/test-run.ts';
import { countCases } from '../../runners/count-cases.ts';
import { hiddenNote } from '../../access/hidden-note.ts';
import { plural } from '../../../lib/text/plural.ts';

const MAX_FAILURES = 20;
/**
 * Maximum for all messages together. The first messages are not cut: an expected value without its end cannot be
 * compared.
 */
const MAX_MESSAGES = 12_000;
/** Characters that are always shown of a message, even when the maximum for all messages is used up. */
const MIN_MESSAGE = 400;
const MAX_OUTPUT = 3000;
const MAX_PASSED_OUTPUT = 1000;

/** A test run as text for the model: failures first, with their messages, then the end of what was printed. */
export function describeRun(run: TestRun): string {
  if (run.outcome !== 'passed' && run.outcome !== 'failed') {
    const text = `Test run ${run.outcome}: ${run.why ?? 'no reason known'}\n${run.output.slice(-MAX_OUTPUT)}`.trim();
    return [text, ...noteOf(run)].join('\n');
  }
  const failures = run.cases.filter((each) => each.status === 'failed');
  const { passed, skipped } = countCases(run.cases);
  const head = `${failures.length} failed, ${passed} passed${skipped > 0 ? `, ${skipped} skipped` : ''} in ${plural(run.files.length, 'file')}`;
  const more = failures.length > MAX_FAILURES ? [`… and ${failures.length - MAX_FAILURES} more`] : [];
  const shown = withMessages(failures.slice(0, MAX_FAILURES));
  return [head, ...shown, ...more, ...printed(run, failures), ...(failures.length === 0 ? [] : noteOf(run))].join('\n');
}

/**
 * Space that a short message does not use is left for the others. A long message loses its beginning, because most
 * runners put the difference at the end.
 */
function withMessages(failures: readonly TestCase[]): string[] {
  let room = MAX_MESSAGES;
  return failures.map(({ file, name, failure }) => {
    const message = ending(failure?.message ?? '', Math.max(room, MIN_MESSAGE));
    room -= message.length;
    return `✗ ${file} › ${name}\n  ${message.replaceAll('\n', '\n  ')}`;
  });
}

/** The output of the tests, without the lines that are already in the messages of the failures. */
function printed({ output }: TestRun, failures: readonly TestCase[]): string[] {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const known = failures.map(({ failure }) => failure?.message ?? '').join('\n');
  const rest = lines.filter((line) => !known.includes(line.trim()));
  if (rest.length === 0) return [];
  const text = ending(rest.join('\n'), failures.length === 0 ? MAX_PASSED_OUTPUT : MAX_OUTPUT);
  return ['Printed by the run:', `  ${text.replaceAll('\n', '\n  ')}`];
}

function ending(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = text.slice(-length).toWellFormed();
  return `… ${text.length - length} characters before this …\n${kept}`;
}

/** A note about files that policy hides, if the output names one. Such a file may have caused the failure. */
function noteOf(run: TestRun): string[] {
  const note = hiddenNote(run.hidden ?? [], saidBy(run));
  return note === null ? [] : [note];
}

/** All output of a run that may name a file. */
export function saidBy(run: TestRun): string {
  return [run.output, run.why ?? '', ...run.cases.map((each) => each.failure?.message ?? '')].join('\n');
}
