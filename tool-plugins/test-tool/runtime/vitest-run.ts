/**
 * Runs test files with the project's own vitest and reports every case: the main program of a test sandbox.
 *
 * Cases are read from vitest's state, not from a reporter, so that no configuration can drop them. The settings by which a configuration could leave tests
 * out (bail, name patterns, `.only`, written snapshots) are overridden for every project once it is resolved; the setup file with the canaries is added to
 * the projects' own. The kernel uses nothing of the report unless its canaries are in it.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { executedLines } from '../shared/coverage/executed-lines.ts';
import type { CoveredScript } from '../shared/coverage/executed-lines.ts';
import { CaseCounter } from '../shared/case-counter.ts';
import { lookOrdinary } from '../shared/look-ordinary.ts';
import { Report, SOUND, describedRun, runToEnd, text } from '../shared/run-report.ts';
import type { Described, Failure, ReportedCase } from '../shared/run-report.ts';
import { aliasedPath } from '../shared/javascript/aliased-path.ts';
import { installedFile, requireMajor } from '../shared/javascript/installed-package.ts';
import { CANARIES, canaryStatus, SECRETS_KEY, setupSecrets } from '../shared/javascript/setup-secrets.ts';
import { lineFinder, linesOfMap } from '../shared/coverage/v8-coverage.ts';
import type {
  ConsoleLog,
  CreateVitest,
  EndedTest,
  Task,
  TaskError,
  TaskPack,
  Vitest,
} from '../shared/javascript/vitest-api.ts';
import { SETUP_SOURCE } from '../shared/javascript/vitest-setup.ts';

interface VitestRun extends Described {
  readonly options: Readonly<Record<string, string | boolean>>;
}

/** Of what a test wrote. */
const MAX_PRINTED = 2000;
const ENDED: ReadonlySet<string> = new Set(['pass', 'passed', 'fail', 'failed']);

const run = describedRun<VitestRun>();
const report = new Report(run);
const secrets = setupSecrets(run.cover);
const counter = new CaseCounter(run);
/** Tasks that the counter has seen. */
const counted = new Set<string>();
/** What each test wrote, its end. */
const printedBy = new Map<string, string>();
const placeOf = new Map(run.files.map((file, index) => [file, index]));

await runToEnd(async () => {
  const vitest = await prepare();
  run.files.forEach((_, index) => {
    report.line({ event: 'begin', index });
  });
  // `start` throws where no file matches; the state then has no file either.
  const thrown = await runFiles(vitest).then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown !== null) process.stderr.write(`fluffy: vitest: ${text(thrown)}\n`);
  reportAll(vitest);
  report.end();
});

async function prepare(): Promise<Vitest> {
  // Taken apart from `process`, since bundling writes a constant where it reads process.env.NODE_ENV.
  const { env } = process;
  lookOrdinary([], [join(run.cwd, 'node_modules/vitest/vitest.mjs'), 'run']);
  const setup = join(mkdtempSync(join(tmpdir(), 'vitest-')), 'setup.mjs');
  writeFileSync(setup, SETUP_SOURCE);
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
    reporters: [
      {
        onUserConsoleLog: print,
        // Since vitest 3, and before.
        onTestCaseResult: (test: EndedTest) => count(test.id, test.name, test.result().state),
        onTaskUpdate: (packs: readonly TaskPack[]) => {
          for (const [id, result] of packs) {
            const task = vitest.state.idMap?.get(id);
            if (task !== undefined && task.type !== 'suite') count(id, task.name, result?.state);
          }
        },
      },
    ],
  });
  const configs = new Set([vitest.config, ...vitest.projects.map((project) => project.config)]);
  for (const config of configs) {
    config.setupFiles = [...config.setupFiles, setup];
    // Each file in a worker of its own: what one leaves behind, no other one finds.
    config.isolate = true;
    config.bail = 0;
    config.allowOnly = false;
    config.testNamePattern = undefined;
    config.tagsFilter = undefined;
    config.snapshotOptions.updateSnapshot = 'none';
  }
  for (const project of vitest.projects) {
    project.provide(SECRETS_KEY, secrets);
    // An environment that takes modules as a browser does (jsdom) loads only what Vite would serve.
    project.vite?.config?.server?.fs?.allow?.push(dirname(setup));
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
  requireMajor(run.cwd, 'vitest', 2);
  const path = installedFile(run.cwd, 'vitest/node');
  const loaded = (await import(pathToFileURL(path).href)) as { createVitest: CreateVitest };
  return loaded.createVitest;
}

function count(id: string, name: string, state = ''): void {
  const isCanary = canaryStatus(secrets, [name]) !== null || canaryStatus(secrets, [secrets.suite, name]) !== null;
  if (isCanary || counted.has(id) || !ENDED.has(state)) return;
  counted.add(id);
  counter.ended(state.startsWith('fail'));
}

function print({ type, content, taskId = '' }: ConsoleLog): void {
  process[type].write(content);
  printedBy.set(taskId, ((printedBy.get(taskId) ?? '') + content).slice(-MAX_PRINTED));
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
      .map((file) => reportFile(vitest, index, file, files.length > 1 ? [`[${file.projectName ?? ''}]`] : []))
      .filter((verdict) => verdict !== undefined);
    const verdict = verdicts.find((each) => each !== SOUND) ?? verdicts[0];
    if (verdict !== undefined) report.canaries(index, verdict);
    if (files.length === 0) report.line({ event: 'left_out', index });
    for (const error of unhandled.filter((each) => each.VITEST_TEST_PATH === path)) reportError(index, error);
  }
  for (const error of unhandled.filter((each) => !placeOf.has(each.VITEST_TEST_PATH ?? ''))) reportError(0, error);
}

function reportError(index: number, error: TaskError): void {
  const failure = { kind: 'error', message: describe(error) } as const;
  report.case({ index, names: ['(unhandled error)'], status: 'failed', durationMs: 0, failure });
}

/** Returns the results of the file's canaries (`passed:failed` where nothing is stubbed), or undefined for a file that did not load. */
function reportFile(vitest: Vitest, index: number, file: Task, prefix: readonly string[]): string | undefined {
  const count = { tests: 0, canaries: 0 };
  for (const task of file.tasks ?? []) reportTask(index, task, { prefix, above: [] }, count);
  const errors = file.result?.errors ?? [];
  const verdict = errors.map((error) => error.message ?? '').find((message) => message.startsWith(secrets.nonce));
  for (const error of errors.filter((each) => each.message?.startsWith(secrets.nonce) !== true)) {
    if (count.tests > 0 || verdict !== undefined) {
      const failure = { kind: 'error', message: describe(error) } as const;
      report.case({ index, names: [...prefix, '(file)'], status: 'failed', durationMs: 0, failure });
    } else {
      const message = `${error.message ?? ''}${whereAliasLeads(vitest, error.message ?? '')}`;
      report.line({ event: 'load', index, type: text(error.name), message: text(message) });
      return undefined;
    }
  }
  if (verdict === undefined) return '';
  const [, truth = '', falsehood = '', ...counted] = verdict.split(':');
  reportLines(vitest, index, counted.join(':'));
  return count.canaries === CANARIES ? `${truth}:${falsehood}` : '';
}

/** A sentence for a module that is missing under a name of the configuration. */
function whereAliasLeads({ projects }: Vitest, message: string): string {
  const path = aliasedPath(
    message,
    projects.flatMap(({ vite }) => vite?.config?.resolve?.alias ?? []),
  );
  return path === null ? '' : `\nIts alias leads to '${path}'.`;
}

interface Counted {
  readonly place: number;
  readonly functions: CoveredScript['functions'];
  readonly code: string;
  readonly map: string;
}

/** vite runs a module as a function, whose first line begins with what it puts around it. */
function reportLines(vitest: Vitest, index: number, counted: string): void {
  for (const { place, functions, code, map } of JSON.parse(counted) as readonly Counted[]) {
    const inMap = lineFinder(map) ?? mapOf(vitest, run.cover[place] ?? '');
    const prefix = code.indexOf('{{') + 2;
    const lineOf = (line: number, column: number): number | null =>
      inMap === null ? null : inMap(line, line === 0 ? Math.max(0, column - prefix) : column);
    report.coverage(index, new Map([[place, executedLines({ functions, code, lineOf, isWrapped: true })]]));
  }
}

/** The map that vite keeps of a module. */
function mapOf({ projects }: Vitest, file: string): CoveredScript['lineOf'] {
  for (const { vite } of projects) {
    for (const { moduleGraph } of Object.values(vite?.environments ?? {})) {
      const map = moduleGraph?.getModuleById(file)?.transformResult?.map;
      if (map !== undefined && map !== null) return linesOfMap(JSON.stringify(map));
    }
  }
  return null;
}

/** The names before that of a task: of the configured project, and of its suites. */
interface Above {
  readonly prefix: readonly string[];
  readonly above: readonly string[];
}

interface Count {
  tests: number;
  canaries: number;
}

/** Reports a test or suite. The canaries at the start of a file show whether the runner runs tests and reports their results. */
function reportTask(index: number, task: Task, { prefix, above }: Above, count: Count): void {
  const inFile = [...above, task.name];
  const names = [...prefix, ...inFile];
  const isFirst = count.tests === 0 && count.canaries < CANARIES;
  const wanted = isFirst && task.tasks === undefined ? canaryStatus(secrets, inFile) : null;
  if (wanted !== null) {
    count.canaries += 1;
    const byAssertion = wanted === 'pass' || kindOf(task.result?.errors?.[0]) === 'assertion';
    if (task.result?.state === wanted && byAssertion) return;
    const why = `a test that must ${wanted} was ${task.result?.state ?? task.mode}: .only, a filter or a runner keeps tests from running`;
    return report.line({ event: 'tampered', index, why });
  }
  if (task.tasks !== undefined) {
    for (const each of task.tasks) reportTask(index, each, { prefix, above: inFile }, count);
    const [error] = task.result?.errors ?? [];
    if (error === undefined) return;
    return reportCase(index, [...names, '(hooks)'], 'failed', task, error);
  }
  count.tests += 1;
  reportCase(index, names, statusOf(task), task, task.result?.errors?.[0]);
}

function statusOf(task: Task): 'passed' | 'failed' | 'skipped' | 'todo' {
  if (task.mode === 'todo') return 'todo';
  if (task.result?.state === 'pass') {
    if (task.fails === true) return 'todo';
    // Of several tries the worst one counts.
    return (task.result.retryCount ?? 0) > 0 || (task.result.errors?.length ?? 0) > 0 ? 'failed' : 'passed';
  }
  return task.result?.state === 'fail' ? 'failed' : 'skipped';
}

function reportCase(
  index: number,
  names: readonly string[],
  status: ReportedCase['status'],
  task: Task,
  error?: TaskError,
): void {
  const printed = printedBy.get(task.id) ?? '';
  const said = printed.trim() === '' ? '' : `\nPrinted by this test:\n${printed.trimEnd()}`;
  const failure = { kind: kindOf(error), message: `${describe(error ?? {})}${said}` };
  report.case({ index, names, status, durationMs: task.result?.duration ?? 0, failure });
}

function kindOf(error: TaskError | undefined): Failure['kind'] {
  if (/^(Test|Hook) timed out in /.test(error?.message ?? '')) return 'timeout';
  return error?.name?.startsWith('AssertionError') === true ? 'assertion' : 'error';
}

function describe(error: TaskError): string {
  const diff = error.diff === undefined ? '' : `\n${stripVTControlCharacters(error.diff)}`;
  const message = `${error.message ?? 'failed'}${diff}`;
  return kindOf(error) === 'error' && error.name !== undefined ? `${error.name}: ${message}` : message;
}
