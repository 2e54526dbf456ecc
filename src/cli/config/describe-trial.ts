import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventOf } from '../../contracts/session/events.ts';
import type { TestCommand } from '../../contracts/session/session-protocol.ts';
import { describeCommand } from '../../kernel/runners/describe-command.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { formatMs } from '../headless/event-lines.ts';

const MAX_FAILED = 5;

export interface Trial {
  readonly run: EventOf<'test.finished'> | null;
  readonly call: EventOf<'tool.finished'> | null;
  /** How the session ended. */
  readonly summary: string;
}

/** Pure: what came of one run of the whole suite, in whole lines. `missing`: directories whose packages are not installed. */
export function describeTrial(command: TestCommand, { run, call, summary }: Trial, missing: readonly string[]): string {
  const advice = missing.length === 0 ? '' : installAdvice(missing);
  // Why a run counts for nothing is what the call says.
  if (run === null) return `The tests were not run: ${call?.error?.message ?? (call?.summary || summary)}\n${advice}`;
  const took = call === null ? '' : ` (${formatMs(call.duration_ms)})`;
  switch (run.outcome) {
    case 'passed':
    case 'failed':
      return `${describeCases(command, run, took)}${advice}`;
    case 'invalid':
      return `The tests were not run: ${call?.error?.message ?? (call?.summary || summary)}\n${advice}`;
    case 'timeout':
      return `The tests did not end in time${took}: a server, timer or watcher that is left open keeps them running. Close it at the end of each test, or give them longer: fluffy config set test.timeout 10m\n${advice}`;
    case 'crashed':
      return `The test runner crashed${took}, so nothing was tested: ${call?.summary || summary}\n${advice === '' ? 'Run the tests yourself to see why, or run the session with the same command: the model is shown what was printed.\n' : advice}`;
    case 'out_of_memory':
      return `The tests used more memory than their sandbox has${took}: sandbox limits in your own configuration allow more.\n${advice}`;
    case 'killed':
    case 'tampered':
      return `The run of the tests counts for nothing (${run.outcome})${took}: ${call?.summary || summary}\n${advice}`;
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
    return `There are no tests yet. A first one is found by its name: ${describeCommand(command)}.\n`;
  const failures = cases.filter(({ status }) => status === 'failed');
  const named = failures.slice(0, MAX_FAILED).map(({ file, name, failure }) => {
    const why = failure?.message.split('\n').find((line) => line.trim() !== '') ?? '';
    return `  ${file}: ${name}${why === '' ? '' : `: ${why.trim()}`}\n`;
  });
  const more = failures.length > MAX_FAILED ? `  and ${failures.length - MAX_FAILED} more\n` : '';
  const ran = `The tests were run once in a sandbox${took}: ${counts}.\n`;
  if (failures.length === 0) return ran;
  return `${ran}${named.join('')}${more}What fails before a change may fail after it.\n`;
}

function installAdvice(missing: readonly string[]): string {
  const where = missing.map((directory) => (directory === '' ? 'this project' : directory)).join(', ');
  return `Packages are not installed in ${where}: run npm ci there (npm install without a lockfile). In a session the model can call deps.install for the project itself.\n`;
}

/** Directories of a test command whose package.json names packages, none of which is installed in it or at the top of the project. */
export function withoutPackages(root: string, command: TestCommand): string[] {
  const directories = [command.cwd, ...(command.others ?? []).map(({ cwd }) => cwd)];
  return [...new Set(directories)].filter((directory) => {
    const at = join(root, directory);
    if ([at, root].some((each) => existsSync(join(each, 'node_modules')))) return false;
    return namesPackages(join(at, 'package.json'));
  });
}

function namesPackages(path: string): boolean {
  const manifest = existsSync(path) ? parseJson(readFileSync(path, 'utf8')) : undefined;
  if (typeof manifest !== 'object' || manifest === null) return false;
  const { dependencies, devDependencies } = manifest as Record<string, unknown>;
  return [dependencies, devDependencies].some(
    (each) => typeof each === 'object' && each !== null && Object.keys(each).length > 0,
  );
}
