/**
 * Runs test files with `deno test` and reports every case: the main program of a test sandbox.
 *
 * Each file has a process of its own, in which a module of ours registers the last tests: two pairs of canaries, and one that says whether assertions still
 * fail. Deno writes its JUnit report to a file without a name. The kernel uses nothing of the report unless the canaries are in it.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { canaryName } from '../shared/canary-name.ts';
import { CaseCounter } from '../shared/case-counter.ts';
import { readLcov } from '../shared/coverage/read-lcov.ts';
import { assertionPackages, setupSource } from '../shared/javascript/deno-setup.ts';
import { projectProgram } from '../shared/javascript/project-program.ts';
import { LOST_CASE, notedCases, verdictIn } from '../shared/javascript/runtime-verdict.ts';
import { isOneReport, lostReport, REPORT_PATH, runTestFile } from '../shared/javascript/runtime-file.ts';
import type { EndedFile } from '../shared/javascript/runtime-file.ts';
import { canaryStatus, setupSecrets } from '../shared/javascript/setup-secrets.ts';
import type { SetupSecrets } from '../shared/javascript/setup-secrets.ts';
import { readJunit } from '../shared/junit.ts';
import type { JunitCase } from '../shared/junit.ts';
import { output } from '../shared/program-output.ts';
import { Report, describedRun, runToEnd } from '../shared/run-report.ts';
import type { Described, Failure } from '../shared/run-report.ts';

interface DenoRun extends Described {
  readonly options: { readonly args: readonly string[] };
}

interface DenoSecrets extends SetupSecrets {
  /** Name of the last test. */
  readonly verdict: string;
}

const run = describedRun<DenoRun>();
const report = new Report(run);
const counter = new CaseCounter(run);
/** What Deno prints when a test or a step has ended. */
const ENDED = /^ *(.+) \.\.\. (ok|FAILED|ignored)\b.* \([\d.]+\S+\)$/;
/** Those outside of a suite, and those of the other arrangement, which has none here. */
const CANARIES = 4;
const UNCAUGHT = /\(uncaught error\)\nerror: (?:\(in promise\) )?([\s\S]*?)\nThis error was not caught/;
// Code under test reads the command line of its parent: it is that of a project whose script starts the tests.
process.title = 'npm test';

await runToEnd(async () => {
  const deno = projectProgram('deno', run.cwd);
  for (const [index, file] of run.files.entries()) {
    report.line({ event: 'begin', index });
    const directory = mkdtempSync(join(tmpdir(), 'deno-'));
    const secrets: DenoSecrets = { ...setupSecrets([]), verdict: `${canaryName([])} in the end` };
    try {
      const ended = await runFile({ deno, directory, secrets, file });
      const isSound = reportFile(index, directory, secrets, ended);
      if (isSound && run.cover.length > 0) report.coverage(index, await executedLines(deno, directory));
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
  report.end();
});

interface FileRun {
  readonly deno: string;
  readonly directory: string;
  readonly secrets: DenoSecrets;
  readonly file: string;
}

async function runFile({ deno, directory, secrets, file }: FileRun): Promise<EndedFile> {
  const setup = join(directory, 'setup.mjs');
  writeFileSync(setup, setupSource(assertionPackages(textAt(file))));
  const counted = run.cover.length === 0 ? [] : [`--coverage=${directory}/lines`, '--coverage-raw-data-only'];
  const ended = await runTestFile({
    program: deno,
    args: [
      ...['test', '--no-check', '--cached-only', ...run.options.args, `--preload=${setup}`, ...counted],
      ...['--reporter=pretty', `--junit-path=${REPORT_PATH}`, file],
    ],
    cwd: run.cwd,
    env: process.env,
    secrets,
    directory,
    onLine: (line) => countCase(stripVTControlCharacters(line), secrets),
  });
  const plain = { stdout: stripVTControlCharacters(ended.stdout), stderr: stripVTControlCharacters(ended.stderr) };
  process.stdout.write(ownPart(plain.stdout, secrets));
  process.stderr.write(plain.stderr);
  return { ...ended, ...plain };
}

function countCase(line: string, secrets: DenoSecrets): void {
  const [, name = '', verdict] = ENDED.exec(line) ?? [];
  const isOurs = name === secrets.verdict || namesOf(secrets).includes(name) || name === secrets.suite;
  if (verdict !== undefined && !isOurs) counter.ended(verdict === 'FAILED');
}

function namesOf(secrets: SetupSecrets): string[] {
  return [secrets, secrets.inSuite].flatMap(({ passing, failing }) => [passing, failing]);
}

/** Without what Deno prints of the canaries, and of all failures once more. */
function ownPart(stdout: string, secrets: SetupSecrets): string {
  const starts = namesOf(secrets)
    .map((name) => stdout.lastIndexOf(`\n${name} ... `))
    .filter((at) => at !== -1);
  return starts.length === 0 ? stdout : stdout.slice(0, Math.min(...starts) + 1);
}

/** Whether its results can be used. */
function reportFile(index: number, directory: string, secrets: DenoSecrets, ended: EndedFile): boolean {
  const { junit, stdout, stderr } = ended;
  const isRead = isOneReport(junit);
  const cases = isRead ? readJunit(junit) : [];
  const isOurs = ({ suites }: JunitCase): boolean =>
    suites[0]?.endsWith(`/${directory.split('/').at(-1) ?? ''}/setup.mjs`) === true;
  const own = cases.filter((each) => !isOurs(each));
  const uncaught = UNCAUGHT.exec(stdout)?.[1];
  const unread = isRead ? null : (/^error: ([\s\S]*?)(?:\n\nStack backtrace|$(?![\s\S]))/m.exec(stderr)?.[1] ?? null);
  if (unread?.startsWith('No test modules found') === true) {
    report.line({ event: 'left_out', index });
    return false;
  }
  const thrown = uncaught ?? unread;
  if (thrown !== null && ended.code !== 0) {
    reportThrown(index, thrown, own.length > 0);
    return false;
  }
  if (!isRead || cases.length === 0) {
    report.line({ ...lostReport(ended), index });
    return false;
  }
  const ours = cases.filter((each) => isOurs(each) && each.name !== secrets.verdict);
  for (const each of ours) {
    const wanted = canaryStatus(secrets, [each.name]) ?? canaryStatus(secrets, [secrets.suite, each.name]);
    if (wanted === null || each.status === (wanted === 'pass' ? 'passed' : 'failed')) continue;
    const why = `a canary test was ${each.status}: a filter or a runner keeps tests from running, or hides that they fail`;
    report.line({ event: 'tampered', index, why });
  }
  const last = cases.find((each) => isOurs(each) && each.name === secrets.verdict)?.text ?? '';
  const verdict = verdictIn(last, secrets.nonce);
  const noted = notedCases(
    verdict?.noted ?? [],
    own.map(({ name }) => name),
  );
  if (!noted.isComplete) report.line({ event: 'tampered', index, why: LOST_CASE });
  for (const each of own) reportCase(index, each, { own, stdout, isNoPass: noted.isNoted(each.name) });
  if (verdict !== null && ours.length === CANARIES) report.canaries(index, verdict.canaries);
  return verdict !== null;
}

/** Before its first test: the file did not load. Later, the tests after it were cancelled. */
function reportThrown(index: number, thrown: string, hasBegun: boolean): void {
  const type = /^(\w*Error): /.exec(thrown)?.[1] ?? 'Error';
  const message = withoutFrames(thrown.replace(/^\w*Error: /, ''));
  report.line(hasBegun ? { event: 'crash', index, message } : { event: 'load', index, type, message });
}

function reportCase(
  index: number,
  each: JunitCase,
  {
    own,
    stdout,
    isNoPass,
  }: { readonly own: readonly JunitCase[]; readonly stdout: string; readonly isNoPass: boolean },
): void {
  const { name, status, seconds } = each;
  const top = name.split(' > ')[0] ?? name;
  const isRepeated = [name, top].some((part) => stdout.includes(`${part} ... retrying (attempt `));
  const failure: Failure =
    status === 'passed'
      ? { kind: 'error', message: 'it passed only when it was repeated' }
      : { kind: kindOf(each, own), message: withoutFrames(each.text === '' ? each.message : each.text) };
  report.case({
    index,
    names: [name],
    status: status !== 'passed' ? status : isRepeated ? 'failed' : isNoPass ? 'todo' : status,
    durationMs: seconds * 1000,
    failure,
  });
}

/** A test whose steps fail, fails as they do. */
function kindOf({ name, text, message }: JunitCase, own: readonly JunitCase[]): Failure['kind'] {
  if (/^Timed out after /.test(message)) return 'timeout';
  if (/^AssertionError\b/.test(text)) return 'assertion';
  if (!/^\d+ test steps? failed/.test(text)) return 'error';
  const steps = own.filter((each) => each.status === 'failed' && each.name.startsWith(`${name} > `));
  return steps.some((each) => kindOf(each, own) === 'assertion') ? 'assertion' : 'error';
}

/** Frames of Deno itself say nothing of the project. */
function withoutFrames(message: string): string {
  return message
    .split('\n')
    .filter((line) => !/^\s+at .*(?:\((?:ext|node):|\/setup\.mjs:)/.test(line))
    .join('\n');
}

async function executedLines(deno: string, directory: string): Promise<Map<number, number[]>> {
  const { stdout } = await output(deno, ['coverage', '--lcov', `${directory}/lines`], { cwd: run.cwd });
  return readLcov(stdout, run.cover, run.cwd);
}

function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
