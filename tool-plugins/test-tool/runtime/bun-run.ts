/**
 * Runs test files with `bun test` and reports every case: the main program of a test sandbox.
 *
 * Each file has a process of its own, in which a file of ours follows it: two pairs of canaries, and a case that says whether assertions still fail. Bun writes
 * its JUnit report to a file without a name. The kernel uses nothing of the report unless the canaries are in it.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canaryName } from '../shared/canary-name.ts';
import { CaseCounter } from '../shared/case-counter.ts';
import { readLcov } from '../shared/coverage/read-lcov.ts';
import { projectProgram } from '../shared/javascript/project-program.ts';
import { SETUP_SOURCE } from '../shared/javascript/bun-setup.ts';
import type { BunSecrets, BunVerdict } from '../shared/javascript/bun-setup.ts';
import { LOST_CASE, notedCases, verdictIn } from '../shared/javascript/runtime-verdict.ts';
import { isOneReport, lostReport, REPORT_PATH, runTestFile } from '../shared/javascript/runtime-file.ts';
import type { EndedFile } from '../shared/javascript/runtime-file.ts';
import { CANARIES, canaryStatus, setupSecrets } from '../shared/javascript/setup-secrets.ts';
import { readJunit } from '../shared/junit.ts';
import type { JunitCase } from '../shared/junit.ts';
import { Report, describedRun, runToEnd } from '../shared/run-report.ts';
import type { Described, Failure, ReportedCase } from '../shared/run-report.ts';

interface BunRun extends Described {
  readonly options: { readonly args: readonly string[] };
}

interface Ended extends EndedFile {
  readonly lcov: string;
}

const run = describedRun<BunRun>();
const report = new Report(run);
const counter = new CaseCounter(run);
/** What Bun prints when a case has ended. */
const ENDED = /^\((pass|fail|skip|todo)\) /;
// Code under test reads the command line of its parent: it is that of a project whose script starts the tests.
process.title = 'npm test';
const UNHANDLED = /^# Unhandled error between tests\n-+\n([\s\S]*?)\n-{31}$/gm;

await runToEnd(async () => {
  const bun = projectProgram('bun', run.cwd);
  for (const [index, file] of run.files.entries()) {
    report.line({ event: 'begin', index });
    const directory = mkdtempSync(join(tmpdir(), 'bun-'));
    const secrets: BunSecrets = {
      ...setupSecrets([]),
      file,
      last: join(directory, 'last.test.mjs'),
      verdict: `${canaryName([])} in the end`,
      mark: ` (${canaryName([])} then)`,
    };
    try {
      reportFile(index, secrets, await runFile(bun, directory, secrets));
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
  report.end();
});

async function runFile(bun: string, directory: string, secrets: BunSecrets): Promise<Ended> {
  const setup = join(directory, 'setup.mjs');
  writeFileSync(setup, SETUP_SOURCE);
  writeFileSync(secrets.last, '');
  const counted =
    run.cover.length === 0 ? [] : ['--coverage', '--coverage-reporter=lcov', `--coverage-dir=${directory}/lines`];
  const ended = await runTestFile({
    program: bun,
    args: [
      ...['test', ...run.options.args, `--preload=${setup}`, ...counted],
      ...['--reporter=junit', `--reporter-outfile=${REPORT_PATH}`, secrets.file, secrets.last],
    ],
    cwd: run.cwd,
    // As `CI`, Bun writes no snapshots, and refuses a case that keeps others from running.
    env: { ...process.env, CI: 'true', DO_NOT_TRACK: '1' },
    secrets,
    directory,
    onLine: counting(),
  });
  const stderr = ownPart(ended.stderr);
  process.stdout.write(ended.stdout);
  process.stderr.write(stderr);
  return { ...ended, stderr, lcov: textAt(join(directory, 'lines/lcov.info')) };
}

/** Counts cases of the file up to the canaries, which come last. */
function counting(): (line: string) => void {
  let isOver = false;
  return (line) => {
    isOver ||= line.endsWith('/last.test.mjs:');
    const [, verdict] = isOver ? [] : (ENDED.exec(line) ?? []);
    if (verdict !== undefined) counter.ended(verdict === 'fail');
  };
}

/** Without what Bun prints of the canaries. */
function ownPart(stderr: string): string {
  const end = stderr.search(/^.*\/last\.test\.mjs:$/m);
  return end === -1 ? stderr : stderr.slice(0, end);
}

function reportFile(index: number, secrets: BunSecrets, ended: Ended): void {
  const { stderr, junit, lcov } = ended;
  const cases = readJunit(junit);
  if (cases.length === 0 || !isOneReport(junit)) return report.line({ ...lostReport(ended), index });
  const isOurs = ({ suites }: JunitCase): boolean => suites[0]?.endsWith('/last.test.mjs') === true;
  const last = cases.find((each) => isOurs(each) && each.name === secrets.verdict);
  if (last?.status === 'failed' && last.text === '')
    throw new Error('its results can be judged from Bun 1.4 on: this version does not report how a case failed');
  const verdict = verdictIn<BunVerdict>(last?.text ?? '', secrets.nonce);
  const ours = cases.filter((each) => isOurs(each) && each.name !== secrets.verdict);
  for (const each of ours) {
    const wanted = canaryStatus(secrets, namesOf(each));
    if (wanted === null || each.status === (wanted === 'pass' ? 'passed' : 'failed')) continue;
    const why = `a canary test was ${each.status}: a filter or a runner keeps tests from running, or hides that they fail`;
    report.line({ event: 'tampered', index, why });
  }
  const load = verdict?.load ?? null;
  if (load !== null) return report.line({ event: 'load', index, ...load });
  const own = cases.filter((each) => !isOurs(each));
  const names = own.map((each) => namesOf(each).join(' > '));
  const { isNoted, isComplete } = notedCases(verdict?.noted ?? [], names);
  if (!isComplete) report.line({ event: 'tampered', index, why: LOST_CASE });
  for (const [at, each] of own.entries()) reportCase(index, secrets, each, isNoted(names[at] ?? ''));
  for (const [, message = ''] of stderr.matchAll(UNHANDLED))
    report.case({ index, names: ['(file)'], status: 'failed', durationMs: 0, failure: { kind: 'error', message } });
  const executed = readLcov(lcov, run.cover, run.cwd);
  report.coverage(index, executed);
  if (verdict !== null && ours.length === CANARIES) report.canaries(index, verdict.canaries);
}

/** The outermost suite is the file. */
function namesOf({ suites, name }: JunitCase): readonly string[] {
  return [...suites.slice(1), name];
}

function reportCase(index: number, { mark }: BunSecrets, each: JunitCase, isNoted: boolean): void {
  const isExpected = each.name.endsWith(mark);
  const name = isExpected ? each.name.slice(0, -mark.length) : each.name;
  report.case({
    index,
    names: namesOf({ ...each, name }),
    status: statusOf(each, isExpected || isNoted),
    durationMs: each.seconds * 1000,
    failure: { kind: kindOf(each), message: withoutFrames(each.text === '' ? each.message : each.text) },
  });
}

/** A case that is expected to fail, skipped or planned proves nothing. */
function statusOf({ status, message }: JunitCase, isNoPass: boolean): ReportedCase['status'] {
  if (status === 'skipped') return message === 'TODO' ? 'todo' : 'skipped';
  return status === 'passed' && isNoPass ? 'todo' : status;
}

function kindOf({ type, text }: JunitCase): Failure['kind'] {
  if (type === 'TimeoutError') return 'timeout';
  return type.startsWith('AssertionError') || /^(?:\w*Error: )?expect[.(]/.test(text) ? 'assertion' : 'error';
}

/** Frames of Bun itself say nothing of the project. */
function withoutFrames(message: string): string {
  return message
    .split('\n')
    .filter((line) => !/^\s+at .*\((?:node|bun|internal):|\/setup\.mjs:/.test(line))
    .join('\n');
}

function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
