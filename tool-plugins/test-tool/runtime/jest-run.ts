/**
 * Runs test files with the project's own jest and reports every case: the main program of a test sandbox.
 *
 * Cases are read where jest's runner hands them over, not from a reporter, so that no configuration can drop them. The settings by which a configuration
 * could leave tests out (bail, written snapshots) are overridden; the setup file with the canaries is added to the ones of each of its projects.
 * The kernel uses nothing of the report unless its canaries are in it.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { executedLines } from '../shared/coverage/executed-lines.ts';
import type {
  AssertionResult,
  FileResult,
  Jest,
  JestRunner,
  JestTest,
  LoadError,
  ProjectConfig,
  V8Result,
} from '../shared/javascript/jest-api.ts';
import { installedFile } from '../shared/javascript/installed-package.ts';
import { SETUP_SOURCE } from '../shared/javascript/jest-setup.ts';
import { CaseCounter } from '../shared/case-counter.ts';
import { lookOrdinary } from '../shared/look-ordinary.ts';
import { Report, SOUND, describedRun, runToEnd, text } from '../shared/run-report.ts';
import type { Described, Failure, ReportedCase } from '../shared/run-report.ts';
import { CANARIES, canaryStatus, SECRETS_KEY, setupSecrets } from '../shared/javascript/setup-secrets.ts';
import { linesOfMap, pathOf } from '../shared/coverage/v8-coverage.ts';

interface JestRun extends Described {
  readonly options: Readonly<Record<string, string | boolean>>;
}

type Ended = { readonly test: JestTest } & ({ readonly result: FileResult } | { readonly error: LoadError });

const run = describedRun<JestRun>();
const secrets = setupSecrets([]);
const { nonce } = secrets;
const setup = join(mkdtempSync(join(tmpdir(), 'jest-')), 'setup.cjs');
writeFileSync(setup, SETUP_SOURCE);
lookOrdinary([], [join(run.cwd, 'node_modules/jest/bin/jest.js')]);
const report = new Report(run);
const counter = new CaseCounter(run);
const placeOf = new Map(run.files.map((file, index) => [file, index]));
const ended: Ended[] = [];

/** Where jest hands over the text alone: its own matchers, and node:assert as it rewrites it. */
const IS_ASSERTION = /^(?:Error: expect\(|AssertionError\b|assert(?:\.\w+)?\()/;

await runToEnd(async () => {
  const { jest, runners } = loadJest();
  for (const runner of runners) watch(runner);
  run.files.forEach((_, index) => {
    report.line({ event: 'begin', index });
  });
  await jest.runCLI(argumentsOfRun(), [run.cwd]);
  run.files.forEach((path, index) => {
    reportFile(
      index,
      ended.filter(({ test }) => test.path === path),
    );
  });
  report.end();
});

function argumentsOfRun(): Readonly<Record<string, unknown>> {
  return {
    ...run.options,
    $0: 'jest',
    // A pattern is matched against any part of a path; the runner leaves out what it was not asked to run.
    _: run.files.map((file) => `${file.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`),
    bail: 0,
    ci: true,
    collectCoverage: false,
    coverage: false,
    notify: false,
    onlyChanged: false,
    onlyFailures: false,
    passWithNoTests: true,
    reporters: [],
    runInBand: true,
    silent: false,
    // What the tests print goes straight to stdout: there is no reporter to print it later.
    verbose: true,
    watch: false,
    watchAll: false,
    watchman: false,
  };
}

function loadJest(): { readonly jest: Jest; readonly runners: readonly JestRunner[] } {
  const { env } = process;
  env['NODE_ENV'] ??= 'test';
  const project = createRequire(join(run.cwd, 'package.json'));
  const path = installedFile(run.cwd, 'jest');
  const inJest = createRequire(path);
  const inCore = createRequire(inJest.resolve('@jest/core'));
  // The configuration resolves its runner from the project, and else from itself.
  const found = [
    () => inCore('jest-runner') as unknown,
    () => project(installedFile(run.cwd, 'jest-runner')) as unknown,
  ].flatMap((load) => {
    try {
      const loaded = load() as { readonly default?: { readonly prototype: JestRunner } };
      return loaded.default === undefined ? [] : [loaded.default.prototype];
    } catch {
      return [];
    }
  });
  if (found.every((runner) => !('on' in runner))) {
    const { version } = project(installedFile(run.cwd, 'jest/package.json')) as { readonly version: string };
    throw new Error(
      `jest ${version} is installed, and results can be judged from jest 28 on. Update jest, or make its command one of your own (test.commands)`,
    );
  }
  return { jest: inJest(path) as Jest, runners: [...new Set(found)] };
}

/** Has a runner run only what was requested, with the canaries, and hand its results over. */
function watch(runner: JestRunner): void {
  const original = runner.runTests;
  runner.runTests = function runTests(tests, ...rest) {
    this.on('test-file-success', ([test, result]) => ended.push({ test, result }));
    this.on('test-file-failure', ([test, error]) => ended.push({ test, error }));
    this.on('test-case-result', ([path, { ancestorTitles, title, status }]) => {
      if (placeOf.has(path) && canaryStatus(secrets, [...ancestorTitles, title]) === null)
        counter.ended(status === 'failed');
    });
    // Only of the runner: with the whole configuration jest would write a report of its own into the project.
    if (run.cover.length > 0 && this._globalConfig !== undefined)
      this._globalConfig = {
        ...this._globalConfig,
        collectCoverage: true,
        coverageProvider: 'v8',
        collectCoverageFrom: [],
      };
    const wanted = tests.filter(({ path }) => placeOf.has(path));
    return original.call(this, wanted.map(withCanaries), ...rest);
  };
}

function withCanaries(test: JestTest): JestTest {
  const { config } = test.context;
  const setupFilesAfterEnv = [...config.setupFilesAfterEnv, setup];
  return {
    ...test,
    context: {
      ...test.context,
      config: {
        ...config,
        ...withoutTypeCheck(config),
        setupFilesAfterEnv,
        globals: { ...config.globals, [SECRETS_KEY]: secrets },
      },
    },
  };
}

/** A test that comes first names what does not exist yet: with ts-jest's check of types it would not even load. The project's own command has the check. */
function withoutTypeCheck({ transform = [] }: ProjectConfig): Pick<ProjectConfig, 'transform'> {
  return {
    transform: transform.map(([files, program, options]) =>
      /[\\/]ts-jest[\\/]/.test(program)
        ? [files, program, { ...options, diagnostics: false }]
        : [files, program, options],
    ),
  };
}

function reportFile(index: number, runs: readonly Ended[]): void {
  if (runs.length === 0) return report.line({ event: 'left_out', index });
  // A file of one configured project keeps its plain names; a file of several has the project's name before each.
  const labels = labelsOf(runs);
  const verdicts = runs.flatMap((each, place) => {
    const prefix = runs.length > 1 ? [`[${labels[place] ?? ''}]`] : [];
    return 'error' in each ? loadFailure(index, each.error) : reportResult(index, each.result, prefix);
  });
  for (const each of runs) if ('result' in each) report.coverage(index, executedIn(each.result.v8Coverage ?? []));
  const verdict = verdicts.find((each) => each !== SOUND) ?? verdicts[0];
  if (verdict !== undefined) report.canaries(index, verdict);
}

/** A name for each project that has this file, the same in every run: projects without a name, or of the same name, are numbered by their ids. */
function labelsOf(runs: readonly Ended[]): readonly string[] {
  const of = ({ test }: Ended): { readonly name: string; readonly id: string } => {
    const { displayName, id = '' } = test.context.config;
    return { name: displayName?.name ?? '', id };
  };
  const all = runs.map(of);
  return all.map(({ name, id }) => {
    const same = all
      .filter((each) => each.name === name)
      .map((each) => each.id)
      .sort();
    const number = same.length === 1 ? '' : String(same.indexOf(id) + 1);
    return [name, number].filter((part) => part !== '').join(' ');
  });
}

function executedIn(results: readonly V8Result[]): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const { result, codeTransformResult } of results) {
    const place = run.cover.indexOf(pathOf(result.url));
    if (place === -1 || codeTransformResult === undefined) continue;
    const { code, originalCode, sourceMapPath } = codeTransformResult;
    const lineOf =
      code === originalCode
        ? null
        : typeof sourceMapPath === 'string'
          ? linesOfMap(readFileSync(sourceMapPath, 'utf8'))
          : () => null;
    found.set(place, executedLines({ functions: result.functions, code, lineOf, isWrapped: true }));
  }
  return found;
}

function loadFailure(index: number, error: LoadError): [] {
  const said = [error.message ?? '', error.stack ?? ''].find((each) => each !== '') ?? 'the file did not load';
  report.line({ event: 'load', index, type: text(error.type ?? ''), message: text(stripVTControlCharacters(said)) });
  return [];
}

/** The results of the file's canaries, or nothing for a file that did not load. */
function reportResult(index: number, result: FileResult, prefix: readonly string[]): readonly string[] {
  const error = result.testExecError ?? null;
  const said = `${error?.message ?? ''}\n${error?.stack ?? ''}`;
  const verdict = new RegExp(`${nonce}:(\\w+:\\w+)`).exec(said)?.[1];
  if (error !== null && result.testResults.length === 0 && verdict === undefined) return loadFailure(index, error);
  const count = { tests: 0, canaries: 0 };
  for (const each of result.testResults) reportAssertion(index, each, prefix, count);
  const others = said.split('\n').filter((line) => /^\w*Error\b/.test(line) && !line.includes(nonce));
  if (others.length > 0) {
    const failure = { kind: 'error', message: others.join('\n') } as const;
    report.case({ index, names: [...prefix, '(file)'], status: 'failed', durationMs: 0, failure });
  }
  return [count.canaries === CANARIES ? (verdict ?? '') : ''];
}

interface Count {
  tests: number;
  canaries: number;
}

/** The canaries at the start of a file show whether the runner runs tests and reports that they failed. A hook that fails, fails all. */
function reportAssertion(index: number, each: AssertionResult, prefix: readonly string[], count: Count): void {
  const { title, status, failureMessages } = each;
  const wanted =
    count.tests === 0 && count.canaries < CANARIES ? canaryStatus(secrets, [...each.ancestorTitles, title]) : null;
  if (wanted !== null) {
    count.canaries += 1;
    if (status === 'failed' || (status === 'passed' && wanted === 'pass')) return;
    const why = `a canary test was ${status}: .only, a filter or a runner keeps tests from running, or hides that they fail`;
    return report.line({ event: 'tampered', index, why });
  }
  count.tests += 1;
  const names = [...prefix, ...each.ancestorTitles, title];
  const message = withoutFrames(stripVTControlCharacters(failureMessages.join('\n\n')));
  report.case({
    index,
    names,
    status: statusOf(each),
    durationMs: each.duration ?? 0,
    failure:
      status === 'passed'
        ? { kind: 'error', message: 'it passed only when it was repeated' }
        : { kind: kindOf(each, message), message },
  });
}

/** A case that is expected to fail proves nothing, and neither does one that passes when it is repeated. */
function statusOf({ status, failing, invocations = 1 }: AssertionResult): ReportedCase['status'] {
  if (status === 'passed' && failing === true) return 'todo';
  if (status === 'passed') return invocations > 1 ? 'failed' : 'passed';
  if (status === 'todo' || status === 'failed') return status;
  return 'skipped';
}

/** Frames of jest itself are many, and say nothing of the project. */
function withoutFrames(message: string): string {
  return message
    .split('\n')
    .filter((line) => !/^\s+at .*(?:node_modules\/|<anonymous>)/.test(line))
    .join('\n');
}

function kindOf({ failureDetails = [] }: AssertionResult, message: string): Failure['kind'] {
  if (/Exceeded timeout of \d+ ms for a /.test(message)) return 'timeout';
  const isAssertion = (detail: unknown): boolean => {
    if (typeof detail !== 'object' || detail === null) return false;
    const { matcherResult, code, name, error } = detail as Readonly<Record<string, unknown>>;
    return matcherResult !== undefined || code === 'ERR_ASSERTION' || name === 'AssertionError' || isAssertion(error);
  };
  return failureDetails.some(isAssertion) || IS_ASSERTION.test(message) ? 'assertion' : 'error';
}
