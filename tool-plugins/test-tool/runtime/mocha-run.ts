/**
 * Runs test files with the project's own mocha and reports every case: the main program of a test sandbox.
 *
 * Its options and the modules it requires are the project's; what could leave tests out (bail, grep, dry runs) is overridden. All files run in one
 * process, as with mocha itself. After each file two canaries follow in a suite of their own: one passes, and one fails where every kind of assertion
 * that the project has still fails on what is false. The kernel uses nothing of the report unless the canaries are in it.
 */
import nodeAssert from 'node:assert';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { lookOrdinary } from '../shared/look-ordinary.ts';
import { CHECKS_SOURCE } from '../shared/mocha-checks.ts';
import { Report, describedRun, runToEnd, text } from '../shared/run-report.ts';
import type { Described, Failure } from '../shared/run-report.ts';

interface MochaRun extends Described {
  readonly options: { readonly args: readonly string[] };
}

type Checks = (packages: { readonly chai: unknown; readonly expect: unknown }) => Promise<boolean>;

interface Runnable {
  readonly title: string;
  readonly type: string;
  readonly file?: string;
  readonly parent?: Suite;
  readonly duration?: number;
  readonly ctx?: { readonly currentTest?: Runnable };
  titlePath(): string[];
}

interface MochaTest extends Runnable {
  file?: string;
  currentRetry(): number;
}

interface Suite {
  readonly root: boolean;
  tests: MochaTest[];
  suites: Suite[];
  readonly parent?: Suite;
  file?: string;
  retries(count: number): unknown;
  addTest(test: MochaTest): unknown;
}

interface Runner {
  on(event: 'pass' | 'pending', listener: (test: MochaTest) => void): Runner;
  on(event: 'fail', listener: (test: MochaTest, error: unknown) => void): Runner;
}

interface MochaInstance {
  readonly suite: Suite;
  files: string[];
  loadFilesAsync(): Promise<void>;
  run(done: () => void): Runner;
}

interface MochaModule {
  new (options: Readonly<Record<string, unknown>>): MochaInstance;
  readonly Suite: { create(parent: Suite, title: string): Suite };
  readonly Test: new (title: string, body: () => unknown) => MochaTest;
}

interface Options extends Readonly<Record<string, unknown>> {
  readonly require?: readonly string[];
  readonly file?: readonly string[];
}

interface MochaInternals {
  readonly Mocha: MochaModule;
  loadOptions(args: readonly string[]): Options;
  handleRequires(modules: readonly string[], options: Readonly<Record<string, unknown>>): Promise<object>;
}

const run = describedRun<MochaRun>();
const report = new Report(run);
const placeOf = new Map(run.files.map((file, index) => [file, index]));
const project = createRequire(join(run.cwd, 'package.json'));
const nonce = randomBytes(16).toString('hex');
const checksFile = join(mkdtempSync(join(tmpdir(), 'mocha-')), 'checks.cjs');
writeFileSync(checksFile, CHECKS_SOURCE);
const checks = project(checksFile) as Checks;
lookOrdinary([], [join(run.cwd, 'node_modules/mocha/bin/mocha.js')]);
/** By title: a test that is repeated is another object. */
const canaries = new Map<string, { readonly index: number; readonly kind: 'pass' | 'fail' }>();
/** The outcome of each file's canaries so far. */
const verdicts = run.files.map(() => ({ pass: 'missing', fail: 'missing' }));

/** Options that override those of the project. A reporter that prints nothing: what the tests print stays readable. */
const NOTHING_LEFT_OUT = {
  allowUncaught: false,
  bail: false,
  delay: false,
  dryRun: false,
  failZero: false,
  fgrep: undefined,
  forbidOnly: false,
  forbidPending: false,
  grep: undefined,
  invert: false,
  parallel: false,
  passOnFailingTestSuite: false,
  reporter: class {},
};

await runToEnd(async () => {
  // As mocha's own command does: it attributes what is thrown to the test that runs.
  process.on('unhandledRejection', (reason) => {
    throw reason;
  });
  const { Mocha, loadOptions, handleRequires } = loadMocha();
  const options = loadOptions(run.options.args);
  const plugins = await handleRequires([...new Set(options.require ?? [])], { ignoredPlugins: [] });
  const mocha = new Mocha({ ...options, ...plugins, ...NOTHING_LEFT_OUT });
  for (const file of options.file ?? []) await load(mocha, join(run.cwd, file));
  for (const [index, file] of run.files.entries()) await loadTests(Mocha, mocha, index, file);
  await new Promise<void>((done) => {
    listen(mocha.run(done));
  });
  for (const [index, { pass, fail }] of verdicts.entries())
    if (pass !== 'missing' && fail !== 'missing') report.canaries(index, `${pass}:${fail}`);
  report.end();
});

/** mocha's command line has no API: its parts are where every release since 8 has them. */
function loadMocha(): MochaInternals {
  let Mocha: MochaModule;
  let base: string;
  try {
    base = project.resolve('mocha/package.json').replace(/package\.json$/, '');
    const loaded = project('mocha') as MochaModule & { readonly default?: MochaModule };
    Mocha = loaded.default ?? loaded;
  } catch (error) {
    throw new Error(`mocha is not installed, or cannot be loaded, in the node_modules of ${run.cwd} or above it`, {
      cause: error,
    });
  }
  const part = (name: string): unknown => {
    try {
      return project(`${base}lib/cli/${name}.cjs`);
    } catch {
      return project(`${base}lib/cli/${name}.js`);
    }
  };
  return {
    Mocha,
    ...(part('options') as Pick<MochaInternals, 'loadOptions'>),
    ...(part('run-helpers') as Pick<MochaInternals, 'handleRequires'>),
  };
}

async function load(mocha: MochaInstance, file: string): Promise<void> {
  mocha.files = [file];
  await mocha.loadFilesAsync();
}

async function loadTests(Mocha: MochaModule, mocha: MochaInstance, index: number, file: string): Promise<void> {
  report.line({ event: 'begin', index });
  const { suite } = mocha;
  const before = { tests: suite.tests.length, suites: suite.suites.length };
  try {
    await load(mocha, file);
  } catch (error) {
    // What it registered before it threw does not run: mocha itself would run nothing.
    suite.tests.length = before.tests;
    suite.suites.length = before.suites;
    const type = error instanceof Error ? error.name : typeof error;
    return report.line({ event: 'load', index, type, message: text(error) });
  }
  const own = Mocha.Suite.create(suite, `${nonce}-${index}`);
  for (const kind of ['pass', 'fail'] as const) {
    const test = new Mocha.Test(`${nonce}-${index}-${kind}`, kind === 'pass' ? truths : falsehoods);
    test.file = own.file = file;
    own.addTest(test);
    canaries.set(test.title, { index, kind });
  }
}

function listen(runner: Runner): void {
  runner.on('pass', (test) => {
    const canary = canaries.get(test.title);
    if (canary !== undefined)
      return void (verdicts[canary.index] = { ...found(canary.index), [canary.kind]: 'passed' });
    const repeated = test.currentRetry() > 0;
    reportCase(test, repeated ? 'failed' : 'passed', {
      kind: 'error',
      message: 'it passed only when it was repeated',
    });
  });
  runner.on('pending', (test) => {
    if (!canaries.has(test.title)) reportCase(test, 'skipped');
  });
  runner.on('fail', (test, error) => {
    const canary = canaries.get(test.title);
    if (canary !== undefined)
      return void (verdicts[canary.index] = { ...found(canary.index), [canary.kind]: 'failed' });
    if (test.type === 'hook') return failedHook(test, error);
    reportCase(test, 'failed', failureOf(error));
  });
}

function found(index: number): { pass: string; fail: string } {
  return verdicts[index] ?? { pass: 'missing', fail: 'missing' };
}

/** A hook of a suite keeps its other tests from running; one outside of every suite keeps all files after it from running. */
function failedHook(hook: Runnable, error: unknown): void {
  const index = indexOf(hook.ctx?.currentTest ?? hook) ?? indexOf(hook);
  const failure = failureOf(error);
  const names = hook.titlePath();
  if (index !== undefined) report.case({ index, names, status: 'failed', durationMs: 0, failure });
  if (hook.parent?.root !== true) return;
  for (const [place, { fail }] of verdicts.entries())
    if (fail === 'missing')
      report.line({ event: 'crash', index: place, message: `${names.join(' > ')}: ${failure.message}` });
}

function indexOf(runnable: Runnable): number | undefined {
  const path = runnable.file ?? fileAbove(runnable.parent);
  return path === undefined ? undefined : placeOf.get(path);
}

function fileAbove(suite: Suite | undefined): string | undefined {
  return suite === undefined ? undefined : (suite.file ?? fileAbove(suite.parent));
}

function reportCase(test: MochaTest, status: 'passed' | 'failed' | 'skipped', failure?: Failure): void {
  const index = indexOf(test);
  if (index === undefined) return;
  const why = failure === undefined ? {} : { failure };
  report.case({ index, names: test.titlePath(), status, durationMs: test.duration ?? 0, ...why });
}

function failureOf(error: unknown): Failure {
  if (typeof error !== 'object' || error === null) return { kind: 'error', message: text(error) };
  const { name, code, message, expected, actual, showDiff } = error as Readonly<Record<string, unknown>>;
  const said = text(message ?? error);
  if (code === 'ERR_MOCHA_TIMEOUT') return { kind: 'timeout', message: said };
  const isAssertion = code === 'ERR_ASSERTION' || String(name).startsWith('AssertionError') || 'matcherResult' in error;
  if (!isAssertion) return { kind: 'error', message: `${String(name)}: ${said}` };
  // node:assert has both values in its message already.
  const both = code === 'ERR_ASSERTION' || showDiff === false || !('expected' in error);
  const values = both ? '' : `\nexpected: ${whole(expected)}\nactual: ${whole(actual)}`;
  return { kind: 'assertion', message: `${said}${values}` };
}

function whole(value: unknown): string {
  return typeof value === 'string' ? value : inspect(value, { depth: 20, breakLength: 120 });
}

function truths(): void {
  nodeAssert.equal(1, 1);
  nodeAssert.deepStrictEqual({ a: 1 }, { a: 1 });
}

/** Fails where each false assertion fails, as it has to. */
async function falsehoods(): Promise<void> {
  const whole = await checks({ chai: installed('chai'), expect: installed('expect') });
  if (whole) nodeAssert.strictEqual(1, 2);
}

/** A package of the project, loaded the second time where its tests use it. */
function installed(name: string): unknown {
  try {
    return project(name);
  } catch {
    return undefined;
  }
}
