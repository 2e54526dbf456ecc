import type { EventOf } from '../../../contracts/session/events.ts';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { describeCommand } from '../../../kernel/runners/describe-command.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import { formatMs } from '../../headless/event-lines.ts';
import type { MissingPackages } from './missing-packages.ts';

const MAX_FAILED = 5;

/** For a crash without a reason. */
const RUN_THEM =
  'Run the tests yourself to see why, or run the session with the same command: the model sees the output.\n';

export interface Trial {
  readonly run: EventOf<'test.finished'> | null;
  readonly call: EventOf<'tool.finished'> | null;
  /** How the session ended. */
  readonly summary: string;
}

/** The result of one run of the whole suite, as complete lines. `missing`: directories without installed packages. Pure. */
export function describeTrial(
  command: TestCommand,
  { run, call, summary }: Trial,
  missing: readonly MissingPackages[],
): string {
  const advice = installAdvice(missing);
  // The call says why a run does not count.
  if (run === null || run.outcome === 'invalid')
    return `The tests were not run: ${call?.error?.message ?? (call?.summary || summary)}\n${advice}`;
  const took = call === null ? '' : ` (${formatMs(call.duration_ms)})`;
  switch (run.outcome) {
    case 'passed':
    case 'failed':
      return `${describeCases(command, run, took)}${advice}`;
    case 'timeout':
      return `The tests did not end in time${took}: a server, timer or watcher that is left open keeps them running. Close it at the end of each test, or give them longer: fluffy config set test.timeout 10m\n${advice}`;
    case 'crashed': {
      const why = reasonIn(run.why ?? (call?.summary || summary));
      const next = why === '' && advice === '' ? RUN_THEM : advice;
      return `The test runner crashed${took}, so nothing was tested${why === '' ? '.' : `: ${why}`}\n${next}`;
    }
    case 'out_of_memory':
      return `The tests used more memory than their sandbox has${took}: sandbox limits in your own configuration allow more.\n${advice}`;
    case 'killed':
    case 'tampered':
      return `The run of the tests counts for nothing (${run.outcome})${took}: ${run.why ?? (call?.summary || summary)}\n${advice}`;
    default:
      return assertNever(run.outcome);
  }
}

function describeCases(
  command: TestCommand,
  { outcome, passed, failed, skipped, cases = [] }: EventOf<'test.finished'>,
  took: string,
): string {
  const counts = [`${passed} passed`, `${failed} failed`, ...(skipped > 0 ? [`${skipped} skipped`] : [])].join(', ');
  if (passed + failed + skipped === 0 && outcome === 'passed')
    return `There are no tests yet. A test is found by its name: ${describeCommand(command)}.\n`;
  const failures = cases.filter(({ status }) => status === 'failed');
  const named = shownFailures(failures);
  const lines = named.slice(0, MAX_FAILED).map(({ text, others }) => {
    const also = others === 0 ? '' : ` (and ${others} more ${others === 1 ? 'file' : 'files'} for the same reason)`;
    return `  ${text}${also}\n`;
  });
  const more = named.length > MAX_FAILED ? `  and ${named.length - MAX_FAILED} more\n` : '';
  const ran = `The tests were run once in a sandbox${took}: ${counts}.\n`;
  if (failures.length === 0) return ran;
  return `${ran}${lines.join('')}${more}What fails before a change may fail after it.\n`;
}

type Failed = NonNullable<EventOf<'test.finished'>['cases']>[number];

/** A failure for people, with the number of other files that could not run for the same reason. */
interface ShownFailure {
  readonly text: string;
  readonly others: number;
}

function shownFailures(failures: readonly Failed[]): readonly ShownFailure[] {
  const shown = failures.map(({ file, name, failure }) => {
    const why = tellingLine(failure?.message ?? '');
    const reason = `${name}${why === '' ? '' : `: ${why.trim()}`}`;
    // The name belongs to no test: the file itself could not be loaded.
    return { file, text: `${file}: ${reason}`, group: name.startsWith('(') ? reason : `${file}\0${reason}` };
  });
  return [...Map.groupBy(shown, ({ group }) => group).values()].flatMap((alike) => {
    const files = new Set(alike.map(({ file }) => file));
    return files.size === 1
      ? alike.filter(({ text }, index) => index === 0 || !text.includes(': (')).map(({ text }) => ({ text, others: 0 }))
      : alike.slice(0, 1).map(({ text }) => ({ text, others: files.size - 1 }));
  });
}

/** Build programs print progress before the error. */
const PROGRESS = /^\s*(?:#|--|(?:Blocking|Building|Checking|Compiling|Downloaded|Downloading|Locking|Updating)\b|$)/;

function tellingLine(message: string): string {
  const lines = message.split('\n');
  const error = lines.find((line) => /^error(?:\[|: )/.test(line));
  return error ?? lines.find((line) => !PROGRESS.test(line)) ?? lines.find((line) => line.trim() !== '') ?? '';
}

/** '' if the summary is only an outcome, because that is no reason. */
function reasonIn(summary: string): string {
  return summary === 'crashed' ? '' : summary;
}

function installAdvice(missing: readonly MissingPackages[]): string {
  if (missing.length === 0) return '';
  const where = missing.map(
    ({ directory, install }) => `${directory === '' ? 'this project' : directory}: run ${install} there`,
  );
  const isForModel = missing.some(({ byHand }) => byHand !== true);
  const inSession = isForModel ? ' In a session the model can call deps.install for the project itself.' : '';
  return `Packages are not installed in ${where.join('; in ')}.${inSession}\n`;
}
