/**
 * Runs test files with the project's own mocha and reports every case: the main program of a test sandbox.
 *
 * Its options and the modules it requires are the project's; what could leave tests out (bail, grep, dry runs) is overridden. All files run in one
 * process, as with mocha itself. After each file two pairs of canaries follow, each in a suite of its own, under names that any test could have and under
 * names of the file's own tests: one passes, and one fails where every kind of assertion that the project has still fails on what is false. The kernel uses nothing of the report unless the canaries are in it.
 */
import { AssertionError, deepStrictEqual, strictEqual } from 'node:assert';
import { randomInt } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { ownValue } from '../../../src/lib/own-value.ts';
import { canaryName } from '../shared/canary-name.ts';
import { CaseCounter } from '../shared/case-counter.ts';
import { lookOrdinary } from '../shared/look-ordinary.ts';
import type {
  MochaInstance,
  MochaInternals,
  MochaModule,
  MochaTest,
  Runnable,
  Runner,
  Suite,
} from '../shared/javascript/mocha-api.ts';
import { applyReplacingPlugins } from '../shared/javascript/chai-plugins.ts';
import { installedFile } from '../shared/javascript/installed-package.ts';
import { CHECKS_SOURCE } from '../shared/javascript/mocha-checks.ts';
import { Report, describedRun, runToEnd, text } from '../shared/run-report.ts';
import type { Described, Failure } from '../shared/run-report.ts';
import { V8Coverage } from '../shared/coverage/v8-coverage.ts';

interface MochaRun extends Described {
  readonly options: { readonly args: readonly string[] };
}

/** Remembers how things are; then says whether they are so still, and assertions fail on what is false. */
type Checks = (things: {
  readonly parts: readonly unknown[];
  readonly chai: unknown;
  readonly expect: unknown;
  readonly sinon: unknown;
}) => () => Promise<boolean>;

const run = describedRun<MochaRun>();
const report = new Report(run);
const counter = new CaseCounter(run);
const coverage = new V8Coverage(run.cover);
const placeOf = new Map(run.files.map((file, index) => [file, index]));
const project = createRequire(join(run.cwd, 'package.json'));
const checksFile = join(mkdtempSync(join(tmpdir(), 'mocha-')), 'checks.cjs');
writeFileSync(checksFile, CHECKS_SOURCE);
const watch = project(checksFile) as Checks;
let isWhole: () => Promise<boolean> = () => Promise.resolve(false);
lookOrdinary([], [join(run.cwd, 'node_modules/mocha/bin/mocha.js')]);
type Kind = 'pass' | 'fail';
/** As objects, since their names are those of other tests; they are never repeated, which would make others of them. */
const canaries = new Map<MochaTest, { readonly index: number; readonly kind: Kind }>();
/** Whether each canary of a file came out as it has to. */
const held = run.files.map((): Record<Kind, boolean[]> => ({ pass: [], fail: [] }));
const ARRANGEMENTS = 2;
const isEnded = ({ pass, fail }: Record<Kind, boolean[]>) =>
  pass.length === ARRANGEMENTS && fail.length === ARRANGEMENTS;

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

/**
 * A test that comes first names what does not exist yet: with ts-node's check of types it would not even load. The project's own command has the check.
 */
const WITHOUT_TYPE_CHECK: Readonly<Partial<Record<string, string>>> = {
  'ts-node': 'ts-node/register/transpile-only',
  'ts-node/register': 'ts-node/register/transpile-only',
  'ts-node/register/files': 'ts-node/register/transpile-only',
  'ts-node/register/type-check': 'ts-node/register/transpile-only',
};

await runToEnd(async () => {
  // As mocha's own command does: it attributes what is thrown to the test that runs.
  process.on('unhandledRejection', (reason) => {
    throw reason;
  });
  const { Mocha, loadOptions, handleRequires } = loadMocha();
  const { chai, expect, sinon } = { chai: installed('chai'), expect: installed('expect'), sinon: installed('sinon') };
  await applyReplacingPlugins(project, run.cwd, chai);
  const { Runner, Runnable, Test, Hook, Suite, Context } = Mocha;
  const parts = [Runner, Runnable, Test, Hook, Suite, Context].flatMap((part) => [part, part?.prototype]);
  isWhole = watch({ parts, chai, expect, sinon });
  const options = loadOptions(run.options.args);
  const required = (options.require ?? []).map((name) => ownValue(WITHOUT_TYPE_CHECK, name) ?? name);
  const plugins = await handleRequires([...new Set(required)], { ignoredPlugins: [] });
  const mocha = new Mocha({ ...options, ...plugins, ...NOTHING_LEFT_OUT });
  for (const file of options.file ?? []) await load(mocha, join(run.cwd, file));
  for (const [index, file] of run.files.entries()) await loadTests(Mocha, mocha, index, file);
  await new Promise<void>((done) => {
    listen(mocha.run(done));
  });
  // One process runs all files: what one of them ran, each may have run.
  const executed = coverage.executed();
  for (const index of run.files.keys()) report.coverage(index, executed);
  for (const [index, each] of held.entries()) {
    if (!isEnded(each)) continue;
    const [truth, falsehood] = [each.pass.every(Boolean), each.fail.every(Boolean)];
    report.canaries(index, `${truth ? 'passed' : 'failed'}:${falsehood ? 'failed' : 'passed'}`);
  }
  report.end();
});

/** mocha's command line has no API: its parts are where every release since 8 has them. */
function loadMocha(): MochaInternals {
  const base = installedFile(run.cwd, 'mocha/package.json').replace(/package\.json$/, '');
  let Mocha: MochaModule;
  try {
    const loaded = project(base) as MochaModule & { readonly default?: MochaModule };
    Mocha = loaded.default ?? loaded;
  } catch (error) {
    throw new Error(`mocha cannot be loaded from ${base}`, { cause: error });
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
  // An old version has no test that is an ES module.
  if (mocha.loadFilesAsync === undefined) mocha.loadFiles();
  else await mocha.loadFilesAsync();
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
  const added = [...suite.tests.slice(before.tests), ...suite.suites.slice(before.suites).flatMap(testsBelow)];
  const titles = added.map(({ title }) => title);
  for (const names of [[], titles]) addPair(Mocha, suite, { index, file, names });
}

function testsBelow({ tests, suites }: Suite): MochaTest[] {
  return [...tests, ...suites.flatMap(testsBelow)];
}

interface Place {
  readonly index: number;
  readonly file: string;
  /** Titles of the file's own tests, or none. */
  readonly names: readonly string[];
}

/** In any order. */
function addPair(Mocha: MochaModule, suite: Suite, { index, file, names }: Place): void {
  const own = Mocha.Suite.create(suite, canaryName(names));
  own.file = file;
  own.retries(0);
  for (const kind of randomInt(2) === 0 ? (['pass', 'fail'] as const) : (['fail', 'pass'] as const)) {
    const test = new Mocha.Test(canaryName(names), kind === 'pass' ? truths : falsehoods);
    test.file = file;
    own.addTest(test);
    canaries.set(test, { index, kind });
  }
}

function listen(runner: Runner): void {
  runner.on('pass', (test) => {
    const canary = canaries.get(test);
    if (canary !== undefined) return void held[canary.index]?.[canary.kind].push(canary.kind === 'pass');
    const repeated = test.currentRetry() > 0;
    reportCase(test, repeated ? 'failed' : 'passed', {
      kind: 'error',
      message: 'it passed only when it was repeated',
    });
  });
  runner.on('pending', (test) => {
    if (!canaries.has(test)) reportCase(test, 'skipped');
  });
  runner.on('fail', (test, error) => {
    const canary = canaries.get(test);
    if (canary !== undefined)
      return void held[canary.index]?.[canary.kind].push(canary.kind === 'fail' && error instanceof AssertionError);
    if (test.type === 'hook') return failedHook(test, error);
    reportCase(test, 'failed', failureOf(error));
  });
}

/** A hook of a suite keeps its other tests from running; one outside of every suite keeps all files after it from running. */
function failedHook(hook: Runnable, error: unknown): void {
  const index = indexOf(hook.ctx?.currentTest ?? hook) ?? indexOf(hook);
  const failure = failureOf(error);
  const names = hook.titlePath();
  if (index !== undefined) report.case({ index, names, status: 'failed', durationMs: 0, failure });
  if (hook.parent?.root !== true) return;
  for (const [place, each] of held.entries())
    if (!isEnded(each))
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
  counter.ended(status === 'failed');
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
  strictEqual(1, 1);
  deepStrictEqual({ a: 1 }, { a: 1 });
}

/** Fails where each false assertion fails, as it has to. */
async function falsehoods(): Promise<void> {
  if (await isWhole()) strictEqual(randomInt(1, 2 ** 20), -randomInt(1, 2 ** 20));
}

/** A package of the project, loaded the second time where its tests use it. */
function installed(name: string): unknown {
  try {
    return project(name);
  } catch {
    return undefined;
  }
}
