/**
 * Runs a command of the user's and reports what it says of its tests: the main program of a test sandbox.
 *
 * A result belongs to the test file that its report names. All others together are one case of each of the other files, which passes if all of them do
 * and the command ends with 0: which file they belong to is not known. There are no canaries here.
 */
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { VIRTUAL_ENVIRONMENTS } from '../../../src/contracts/sandbox/virtual-environments.ts';
import { readJunit } from '../shared/junit.ts';
import { CaseCounter } from '../shared/case-counter.ts';
import { output } from '../shared/program-output.ts';
import type { ProgramOutput } from '../shared/program-output.ts';
import type { ReportedResult } from '../shared/reported-result.ts';
import { Report, describedRun, runToEnd } from '../shared/run-report.ts';
import type { Described } from '../shared/run-report.ts';
import { readTap, readTapResult } from '../shared/tap.ts';

interface GenericRun extends Described {
  readonly root: string;
  readonly options: {
    readonly args: readonly string[];
    readonly report: 'junit' | 'tap' | null;
    /** A glob below the command's directory; null: the command prints its report. */
    readonly reportFile: string | null;
  };
}

const SHOWN = 4000;
const FILES = '{files}';

const run = describedRun<GenericRun>();
const report = new Report(run);
const counter = new CaseCounter(run);
const virtualenv = [run.cwd, run.root]
  .flatMap((home) => VIRTUAL_ENVIRONMENTS.map((name) => join(home, name)))
  .find((home) => existsSync(join(home, 'pyvenv.cfg')));
// As an activated shell has it; PATH has its programs.
if (virtualenv !== undefined) process.env['VIRTUAL_ENV'] = virtualenv;

await runToEnd(async () => {
  const { args, reportFile } = run.options;
  const files = run.files.map((path) => relative(run.cwd, path));
  const [program = '', ...rest] = args.flatMap((arg) => (arg === FILES ? files : [arg]));
  // An old report would be taken for one of this run.
  for (const path of reportFiles(reportFile)) rmSync(path, { force: true });
  const ended = await output(program, rest, { cwd: run.cwd, onLine: countTap });
  process.stdout.write(ended.stdout);
  process.stderr.write(ended.stderr);
  const results = resultsOf(ended);
  const found = run.files.map((path) => results.filter(({ place }) => isPlace(place, path)));
  const placed = new Set(found.flat());
  const others = results.filter((each) => !placed.has(each));
  for (const [index, own] of found.entries()) {
    report.line({ event: 'begin', index });
    for (const each of own) reportResult(index, each);
    if (own.length === 0) reportTogether(index, others, ended);
  }
  report.end();
});

/** A report of another kind says nothing before its end. */
function countTap(line: string): void {
  const { report: form, reportFile } = run.options;
  const result = form === 'tap' && reportFile === null ? readTapResult(line) : null;
  if (result !== null) counter.ended(result.status === 'failed');
}

function resultsOf(ended: ProgramOutput): ReportedResult[] {
  const { report: form, reportFile } = run.options;
  if (form === null) return [];
  const texts =
    reportFile === null ? [ended.stdout] : reportFiles(reportFile).map((path) => readFileSync(path, 'utf8'));
  const results = texts.flatMap(form === 'tap' ? readTap : readJunit);
  const failed = results.filter(({ status }) => status === 'failed');
  const problem =
    results.length === 0
      ? `the command left no ${form} report`
      : (ended.code === 0) === (failed.length === 0)
        ? null
        : `the command ended with ${ended.code ?? ended.signal ?? '?'}, and its report has ${failed.length} failed tests`;
  // A report and an exit code that do not agree: neither is believed.
  if (results.length === 0)
    return [{ name: '(report)', place: '', status: 'failed', isError: false, seconds: 0, message: problem ?? '' }];
  return problem === null
    ? results
    : results.map((each): ReportedResult => ({ ...each, status: 'failed', message: `${problem}\n${each.message}` }));
}

function reportFiles(pattern: string | null): string[] {
  return pattern === null ? [] : globSync(pattern, { cwd: run.cwd }).map((path) => join(run.cwd, path));
}

/** A report names a file by its path, or a class as its language writes it. */
function isPlace(place: string, path: string): boolean {
  if (place === '') return false;
  const named = place.replace(/^\.\//, '');
  const bare = path.replace(/\.[^./]+$/, '');
  return path === named || path.endsWith(`/${named}`) || `${bare}`.endsWith(`/${named.replaceAll(/\.|::/g, '/')}`);
}

function reportResult(index: number, { name, status, seconds, message }: ReportedResult): void {
  report.case({
    index,
    names: [name],
    status,
    durationMs: seconds * 1000,
    failure: { kind: 'assertion', message: message === '' ? 'failed' : message },
  });
}

function reportTogether(
  index: number,
  others: readonly ReportedResult[],
  { code, signal, stdout, stderr }: ProgramOutput,
): void {
  const failed = others.filter(({ status }) => status === 'failed');
  const isFailed = code !== 0 || failed.length > 0;
  const listed = failed.map(({ name, message }) => `${name}\n${message}`).join('\n');
  const end = `the command ended with ${code ?? signal ?? '?'}`;
  const message = listed === '' ? `${end}\n${(stdout + stderr).slice(-SHOWN)}` : `${end}\n${listed}`;
  report.case({
    index,
    names: ['(command)'],
    status: isFailed ? 'failed' : 'passed',
    durationMs: 0,
    failure: { kind: 'assertion', message },
  });
}
