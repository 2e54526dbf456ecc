/**
 * Runs test files with the project's own vitest and reports every case: the main program of a test sandbox, `vitest-run.mjs RUN_JSON`.
 *
 * Cases are read from vitest's state, not from a reporter, so that no configuration can drop them. The settings by which a configuration could leave tests
 * out (bail, name patterns, `.only`, written snapshots) are overridden for every project once it is resolved; the setup file with the canaries is added to
 * the projects' own. The kernel uses nothing of the report unless its canaries are in it.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Described {
  readonly cwd: string;
  readonly files: readonly string[];
  readonly canary: string;
  readonly report: string;
  readonly setup: string;
  readonly options: Readonly<Record<string, string | boolean>>;
}

interface TaskError {
  readonly name?: string;
  readonly message?: string;
  readonly VITEST_TEST_PATH?: string;
}

interface Task {
  readonly type: string;
  readonly name: string;
  readonly mode: string;
  readonly filepath?: string;
  readonly projectName?: string;
  readonly tasks?: readonly Task[];
  readonly result?: { readonly state?: string; readonly duration?: number; readonly errors?: readonly TaskError[] };
}

interface ProjectConfig {
  setupFiles: string[];
  bail: number;
  allowOnly: boolean;
  testNamePattern: RegExp | undefined;
  tagsFilter: unknown;
  snapshotOptions: { updateSnapshot: string };
}

interface Vitest {
  readonly config: ProjectConfig;
  readonly projects: readonly { readonly config: ProjectConfig }[];
  readonly state: { getFiles(): readonly Task[]; getUnhandledErrors(): readonly TaskError[] };
  /** Since vitest 3; what was configured is kept apart from `config` there. */
  resetGlobalTestNamePattern?(): void;
  start(filters: readonly string[]): Promise<unknown>;
  /** Both since vitest 3. */
  getRelevantTestSpecifications?(filters: readonly string[]): Promise<readonly Specification[]>;
  runTestSpecifications?(specifications: readonly Specification[], all: boolean): Promise<unknown>;
}

interface Specification {
  readonly moduleId: string;
}

type CreateVitest = (mode: 'test', options: Readonly<Record<string, unknown>>) => Promise<Vitest>;

const MAX_TEXT = 4000;
/** What the hook of the setup file throws where true assertions pass and false ones fail. */
const SOUND = 'passed:failed';
/** Exit code of every run that is not disturbed, since its canaries fail. What ends the process is bound before any code of the project is loaded. */
const CANARIES_FAILED = 1;
const NOT_RUNNABLE = 2;
const exit = process.exit.bind(process);
const append = appendFileSync;

const run = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Described;
const placeOf = new Map(run.files.map((file, index) => [file, index]));

function writeLine(line: Record<string, unknown>): void {
  append(run.report, `${JSON.stringify(line)}\n`, { mode: 0o600 });
}

try {
  const vitest = await prepare();
  run.files.forEach((_, index) => {
    writeLine({ event: 'begin', index });
  });
  // `start` throws where no file matches; the state then has no file either.
  const thrown = await runFiles(vitest).then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown !== null) process.stderr.write(`fluffy: vitest: ${text(thrown)}\n`);
  reportAll(vitest);
  writeLine({ event: 'end' });
  exit(CANARIES_FAILED);
} catch (error) {
  process.stderr.write(`fluffy: the tests could not be run: ${whole(error)}\n`);
  exit(NOT_RUNNABLE);
}

async function prepare(): Promise<Vitest> {
  // Taken apart from `process`, since bundling writes a constant where it reads process.env.NODE_ENV.
  const { env } = process;
  env['TEST'] = env['VITEST'] = 'true';
  env['NODE_ENV'] ??= 'test';
  const createVitest = await loadVitest();
  const vitest = await createVitest('test', {
    ...run.options,
    run: true,
    watch: false,
    ui: false,
    update: false,
    bail: 0,
    allowOnly: false,
    passWithNoTests: false,
    coverage: { enabled: false },
    reporters: [{ onUserConsoleLog: print }],
  });
  const configs = new Set([vitest.config, ...vitest.projects.map((project) => project.config)]);
  for (const config of configs) {
    config.setupFiles = [...config.setupFiles, run.setup];
    config.bail = 0;
    config.allowOnly = false;
    config.testNamePattern = undefined;
    config.tagsFilter = undefined;
    config.snapshotOptions.updateSnapshot = 'none';
  }
  vitest.resetGlobalTestNamePattern?.();
  return vitest;
}

/** A filter of vitest is a part of a path: the files of the run are chosen exactly, since errors of others would count as theirs. */
async function runFiles(vitest: Vitest): Promise<unknown> {
  const found = await vitest.getRelevantTestSpecifications?.([...run.files]);
  if (found === undefined || vitest.runTestSpecifications === undefined) return vitest.start([...run.files]);
  const specifications = found.filter(({ moduleId }) => placeOf.has(moduleId));
  return vitest.runTestSpecifications(specifications, true);
}

async function loadVitest(): Promise<CreateVitest> {
  let path: string;
  try {
    path = createRequire(join(run.cwd, 'package.json')).resolve('vitest/node');
  } catch {
    throw new Error(`vitest is not installed: there is none in the node_modules of ${run.cwd} or above it`);
  }
  const loaded = (await import(pathToFileURL(path).href)) as { createVitest: CreateVitest };
  return loaded.createVitest;
}

function print(log: { readonly type: 'stdout' | 'stderr'; readonly content: string }): void {
  process[log.type].write(log.content);
}

function reportAll(vitest: Vitest): void {
  const byPlace = new Map<number, Task[]>();
  for (const file of vitest.state.getFiles()) {
    const place = placeOf.get(file.filepath ?? '');
    if (place !== undefined) byPlace.set(place, [...(byPlace.get(place) ?? []), file]);
  }
  const unhandled = vitest.state.getUnhandledErrors();
  for (const [index, path] of run.files.entries()) {
    const files = byPlace.get(index) ?? [];
    // A file of one configured project keeps its plain names; a file of several has the project's name before each.
    const verdicts = files
      .map((file) => reportFile(index, file, files.length > 1 ? [`[${file.projectName ?? ''}]`] : []))
      .filter((verdict) => verdict !== undefined);
    const verdict = verdicts.find((each) => each !== SOUND) ?? verdicts[0];
    if (verdict !== undefined) reportCanaries(index, verdict);
    if (files.length === 0) writeLine({ event: 'left_out', index });
    for (const error of unhandled.filter((each) => each.VITEST_TEST_PATH === path)) reportError(index, error);
  }
  for (const error of unhandled.filter((each) => !placeOf.has(each.VITEST_TEST_PATH ?? ''))) reportError(0, error);
}

function reportCanaries(index: number, verdict: string): void {
  const [truth = '', falsehoods = ''] = verdict.split(':');
  writeLine({ event: 'canary', index, name: `${run.canary}-${index}-pass`, status: truth });
  writeLine({ event: 'canary', index, name: `${run.canary}-${index}-fail`, status: falsehoods });
}

function reportError(index: number, error: TaskError): void {
  const failure = { kind: 'error', message: describe(error) };
  writeLine({ event: 'case', index, name: '(unhandled error)', status: 'failed', duration_ms: 0, failure });
}

/** Returns the results of the file's canaries (`passed:failed` where nothing is stubbed), or undefined for a file that did not load. */
function reportFile(index: number, file: Task, prefix: readonly string[]): string | undefined {
  const count = { tests: 0, canaries: 0 };
  for (const task of file.tasks ?? []) reportTask(index, task, prefix, count);
  const errors = file.result?.errors ?? [];
  const verdict = errors.map((error) => error.message ?? '').find((message) => message.startsWith(run.canary));
  for (const error of errors.filter((each) => each.message?.startsWith(run.canary) !== true)) {
    if (count.tests > 0 || verdict !== undefined) {
      const failure = { kind: 'error', message: describe(error) };
      writeLine({
        event: 'case',
        index,
        name: [...prefix, '(file)'].join(' > '),
        status: 'failed',
        duration_ms: 0,
        failure,
      });
    } else {
      writeLine({ event: 'load', index, type: text(error.name), message: text(error.message) });
      return undefined;
    }
  }
  return verdict !== undefined && count.canaries === 2 ? verdict.slice(run.canary.length + 1) : '';
}

interface Count {
  tests: number;
  canaries: number;
}

/** Reports a test or suite. The two canary tests at the start of a file show whether the runner runs tests and reports their results. */
function reportTask(index: number, task: Task, above: readonly string[], count: Count): void {
  if (task.name === `${run.canary}-ran` || task.name === `${run.canary}-threw`) {
    count.canaries += 1;
    const wanted = task.name.endsWith('-ran') ? 'pass' : 'fail';
    if (task.result?.state === wanted) return;
    const why = `a test that must ${wanted} was ${task.result?.state ?? task.mode}: .only, a filter or a runner keeps tests from running`;
    return writeLine({ event: 'tampered', index, why });
  }
  const names = [...above, task.name];
  if (task.tasks !== undefined) {
    for (const each of task.tasks) reportTask(index, each, names, count);
    const [error] = task.result?.errors ?? [];
    if (error === undefined) return;
    return reportCase(index, [...names, '(hooks)'], 'failed', task, error);
  }
  count.tests += 1;
  reportCase(index, names, statusOf(task), task, task.result?.errors?.[0]);
}

function statusOf(task: Task): 'passed' | 'failed' | 'skipped' | 'todo' {
  if (task.mode === 'todo') return 'todo';
  if (task.result?.state === 'pass') return 'passed';
  return task.result?.state === 'fail' ? 'failed' : 'skipped';
}

function reportCase(index: number, names: readonly string[], status: string, task: Task, error?: TaskError): void {
  const failure = { kind: kindOf(error), message: describe(error ?? {}) };
  writeLine({
    event: 'case',
    index,
    name: names.join(' > '),
    status,
    duration_ms: Math.max(0, task.result?.duration ?? 0),
    ...(status === 'failed' ? { failure } : {}),
  });
}

function kindOf(error: TaskError | undefined): 'assertion' | 'error' | 'timeout' {
  if (/^(Test|Hook) timed out in /.test(error?.message ?? '')) return 'timeout';
  return error?.name?.startsWith('AssertionError') === true ? 'assertion' : 'error';
}

function describe(error: TaskError): string {
  const message = text(error.message ?? 'failed');
  return kindOf(error) === 'error' && error.name !== undefined
    ? `${error.name}: ${message}`.slice(0, MAX_TEXT)
    : message;
}

/** The message with every cause below it, then the stack: loaders put their reason into the cause. */
function whole(error: unknown): string {
  const reasons: string[] = [];
  for (
    let each = error;
    each !== undefined && reasons.length < 8;
    each = each instanceof Error ? each.cause : undefined
  )
    reasons.push(text(each));
  const stack = error instanceof Error && error.stack !== undefined ? error.stack : '';
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  return [reasons.join('\n  because '), ...frames].join('\n').slice(0, MAX_TEXT);
}

function text(value: unknown): string {
  return String(value instanceof Error ? value.message : value).slice(0, MAX_TEXT);
}
