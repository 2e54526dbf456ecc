/**
 * Runs test files with the project's own vitest and reports every case: the main program of a test sandbox, `vitest-run.mjs RUN_JSON`.
 *
 * Cases are read from vitest's state, not from a reporter, so that no configuration can drop them. What a configuration could use to leave tests out
 * (bail, name patterns, `.only`, written snapshots) is set for every project once it is resolved; the setup file with the canaries joins the projects' own.
 * The kernel believes none of the report before its canaries have been found.
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
}

type CreateVitest = (mode: 'test', options: Readonly<Record<string, unknown>>) => Promise<Vitest>;

const MAX_TEXT = 4000;
/** What the hook of the setup file throws where truths hold and falsehoods don't. */
const SOUND = 'passed:failed';
/** A true run's last act, since canaries fail in it; bound before anything of the project's is loaded. */
const CANARIES_FAILED = 1;
const NOT_RUNNABLE = 2;
const exit = process.exit.bind(process);
const append = appendFileSync;

const run = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Described;
const placeOf = new Map(run.files.map((file, index) => [file, index]));

function say(line: Record<string, unknown>): void {
  append(run.report, `${JSON.stringify(line)}\n`, { mode: 0o600 });
}

try {
  const vitest = await prepare();
  run.files.forEach((_, index) => {
    say({ event: 'begin', index });
  });
  // Without a matching file it throws, and what is read from the state then says so.
  const thrown = await vitest.start([...run.files]).then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown !== null) process.stderr.write(`fluffy: vitest: ${text(thrown)}\n`);
  report(vitest);
  say({ event: 'end' });
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

function report(vitest: Vitest): void {
  const byPlace = new Map<number, Task[]>();
  for (const file of vitest.state.getFiles()) {
    const place = placeOf.get(file.filepath ?? '');
    if (place !== undefined) byPlace.set(place, [...(byPlace.get(place) ?? []), file]);
  }
  const unhandled = vitest.state.getUnhandledErrors();
  for (const [index, path] of run.files.entries()) {
    const files = byPlace.get(index) ?? [];
    // One configured project runs a file under its plain names; of several, each says which it is.
    const verdicts = files
      .map((file) => reportFile(index, file, files.length > 1 ? [`[${file.projectName ?? ''}]`] : []))
      .filter((verdict) => verdict !== undefined);
    const verdict = verdicts.find((each) => each !== SOUND) ?? verdicts[0];
    if (verdict !== undefined) sayCanaries(index, verdict);
    if (files.length === 0) say({ event: 'left_out', index });
    for (const error of unhandled.filter((each) => each.VITEST_TEST_PATH === path)) sayError(index, error);
  }
  for (const error of unhandled.filter((each) => !placeOf.has(each.VITEST_TEST_PATH ?? ''))) sayError(0, error);
}

function sayCanaries(index: number, verdict: string): void {
  const [truth = '', falsehoods = ''] = verdict.split(':');
  say({ event: 'canary', index, name: `${run.canary}-${index}-pass`, status: truth });
  say({ event: 'canary', index, name: `${run.canary}-${index}-fail`, status: falsehoods });
}

function sayError(index: number, error: TaskError): void {
  const failure = { kind: 'error', message: describe(error) };
  say({ event: 'case', index, name: '(unhandled error)', status: 'failed', duration_ms: 0, failure });
}

/** Returns what the file's canaries came to (`passed:failed` when it is sound), or undefined when it did not load. */
function reportFile(index: number, file: Task, prefix: readonly string[]): string | undefined {
  const count = { tests: 0, canaries: 0 };
  for (const task of file.tasks ?? []) reportTask(index, task, prefix, count);
  const errors = file.result?.errors ?? [];
  const verdict = errors.map((error) => error.message ?? '').find((message) => message.startsWith(run.canary));
  for (const error of errors.filter((each) => each.message?.startsWith(run.canary) !== true)) {
    if (count.tests > 0 || verdict !== undefined) {
      const failure = { kind: 'error', message: describe(error) };
      say({ event: 'case', index, name: [...prefix, '(file)'].join(' > '), status: 'failed', duration_ms: 0, failure });
    } else {
      say({ event: 'load', index, type: text(error.name), message: text(error.message) });
      return undefined;
    }
  }
  return verdict !== undefined && count.canaries === 2 ? verdict.slice(run.canary.length + 1) : '';
}

interface Count {
  tests: number;
  canaries: number;
}

/** The two canary tests at the head of a file: whether the runner runs test functions and tells what they do. */
function reportTask(index: number, task: Task, above: readonly string[], count: Count): void {
  if (task.name === `${run.canary}-ran` || task.name === `${run.canary}-threw`) {
    count.canaries += 1;
    const wanted = task.name.endsWith('-ran') ? 'pass' : 'fail';
    if (task.result?.state === wanted) return;
    const why = `a test that must ${wanted} was ${task.result?.state ?? task.mode}: .only, a filter or a runner keeps tests from running`;
    return say({ event: 'tampered', index, why });
  }
  const names = [...above, task.name];
  if (task.tasks !== undefined) {
    for (const each of task.tasks) reportTask(index, each, names, count);
    const [error] = task.result?.errors ?? [];
    if (error === undefined) return;
    return sayCase(index, [...names, '(hooks)'], 'failed', task, error);
  }
  count.tests += 1;
  sayCase(index, names, statusOf(task), task, task.result?.errors?.[0]);
}

function statusOf(task: Task): 'passed' | 'failed' | 'skipped' | 'todo' {
  if (task.mode === 'todo') return 'todo';
  if (task.result?.state === 'pass') return 'passed';
  return task.result?.state === 'fail' ? 'failed' : 'skipped';
}

function sayCase(index: number, names: readonly string[], status: string, task: Task, error?: TaskError): void {
  const failure = { kind: kindOf(error), message: describe(error ?? {}) };
  say({
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

/** The message with every cause below it, then the stack: a loader hides its reason in the cause. */
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
