/**
 * Runs C and C++ test files as CTest knows them, and reports every case: the main program of a test sandbox.
 *
 * The project is configured and built in a directory of its own, so that nothing is written into it. Each file with cases of GoogleTest, Catch2 or doctest
 * gets further cases at its end while it is compiled: one that passes, and one for each kind of assertion that has to fail. In a program without a framework
 * the start of `main` asks how it has to end. Before anything runs, the files are as they were. The kernel uses nothing of the report unless all of that is
 * as it has to be.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CaseCounter } from '../shared/case-counter.ts';
import { caseCanaries, mainCanary } from '../shared/cmake/canaries.ts';
import type { CaseCanaries, MainCanary } from '../shared/cmake/canaries.ts';
import { compilerErrors, isAbout, isMissingHere } from '../shared/cmake/compiler-errors.ts';
import { buildTargets, configure, listTests, starts } from '../shared/cmake/project.ts';
import type { CTest, CmakeProgram, CmakeProject } from '../shared/cmake/project.ts';
import type { CxxCase } from '../shared/cmake/reports.ts';
import { askMain, runPlainTests } from '../shared/cmake/run-plain.ts';
import { runProgram } from '../shared/cmake/run-program.ts';
import { frameworkOf, startOfMain } from '../shared/cmake/source.ts';
import type { CxxFramework } from '../shared/cmake/source.ts';
import { Report, SOUND, describedRun, runToEnd, text } from '../shared/run-report.ts';
import type { Described } from '../shared/run-report.ts';

interface CTestRun extends Described {
  readonly options: { readonly args: readonly string[] };
}

interface TestFile {
  readonly index: number;
  readonly path: string;
  readonly source: string;
  readonly framework: CxxFramework;
  /** null: it has no framework. */
  readonly canaries: CaseCanaries | null;
}

/** A program with test files of this run in it. */
interface TestProgram {
  readonly program: CmakeProgram;
  readonly tests: readonly TestFile[];
  /** That of its first file. */
  readonly framework: CxxFramework;
  /** The file with its `main`, with a question in it; null for a program with a framework. */
  readonly main: (MainCanary & { readonly path: string }) | null;
}

const run = describedRun<CTestRun>();
const report = new Report(run);
const counter = new CaseCounter(run);
const allTests = run.files.map((path) => readFileSync(path, 'utf8')).join('\n');
/** What the canaries of each file said, in each program that it is in. */
const verdicts = new Map<number, string[]>();
const broken = new Set<number>();

await runToEnd(async () => {
  const files = run.files.map(readTestFile);
  for (const { index } of files) report.line({ event: 'begin', index });
  const build = mkdtempSync(join(process.env['TMPDIR'] ?? '/tmp', 'build-'));
  try {
    await runFiles(files, build);
  } finally {
    rmSync(build, { recursive: true, force: true });
  }
  report.end();
});

async function runFiles(files: readonly TestFile[], build: string): Promise<void> {
  const project = await configure(run.cwd, build, run.options.args);
  if (typeof project === 'string') {
    process.stdout.write(project);
    const place = isSourceMissing(project) ? 'project' : 'nowhere';
    for (const test of files) notLoaded(test, project, place);
    return;
  }
  const programs = project.programs.flatMap((program) => testProgram(program, files) ?? []);
  const said = programs.length === 0 ? '' : await buildWithCanaries(project, programs);
  process.stdout.write(said);
  const listed = await listTests(project);
  if (typeof listed === 'string') process.stdout.write(listed);
  for (const each of programs) {
    if (!existsSync(each.program.executable)) reportNotBuilt(each, said);
    else if (typeof listed === 'string') for (const test of each.tests) crashed(test, listed);
    else
      await runTests(
        project,
        each,
        listed.filter((test) => starts(test, each.program)),
        programs,
      );
  }
  for (const { index } of files) {
    const found = verdicts.get(index);
    if (found !== undefined) report.canaries(index, found.find((each) => each !== SOUND) ?? SOUND);
    else if (!broken.has(index)) report.line({ event: 'left_out', index });
  }
}

function readTestFile(path: string, index: number): TestFile {
  const source = readFileSync(path, 'utf8');
  const framework = frameworkOf(path);
  const canaries = framework === 'plain' ? null : caseCanaries(framework, source, allTests);
  return { index, path, source, framework, canaries };
}

/** null for a program without any of the files. */
function testProgram(program: CmakeProgram, files: readonly TestFile[]): TestProgram | null {
  const tests = files.filter(({ path }) => program.sources.includes(path));
  const [first] = tests;
  if (first === undefined) return null;
  const framework = tests.find((each) => each.framework !== 'plain')?.framework ?? 'plain';
  if (framework !== 'plain') return { program, tests, framework, main: null };
  const sources = program.sources.filter((path) => path.startsWith(`${run.cwd}/`) && existsSync(path));
  const path = sources.find((each) => startOfMain(readFileSync(each, 'utf8')) !== null) ?? first.path;
  return { program, tests, framework, main: { path, ...mainCanary(readFileSync(path, 'utf8'), allTests) } };
}

async function buildWithCanaries(project: CmakeProject, programs: readonly TestProgram[]): Promise<string> {
  const written = new Map<string, string>();
  for (const { tests, main } of programs) {
    for (const { path, source, canaries } of tests)
      if (canaries !== null) written.set(path, `${source}${canaries.text}`);
    if (main !== null) written.set(main.path, main.text);
  }
  const before = new Map([...written.keys()].map((path) => [path, readFileSync(path)]));
  try {
    for (const [path, content] of written) writeFileSync(path, content);
    const { stdout, stderr } = await buildTargets(project, [...new Set(programs.map(({ program }) => program.name))]);
    return stdout + stderr;
  } finally {
    for (const [path, content] of before) writeFileSync(path, content);
  }
}

/** A source that CMakeLists.txt names and nobody has written yet. */
function isSourceMissing(said: string): boolean {
  const named = [...said.matchAll(/Cannot find source file:\s+(\S+)/g)].map(([, path = '']) => resolve(run.cwd, path));
  return named.length > 0 && named.every((path) => path.startsWith(`${run.cwd}/`));
}

function reportNotBuilt({ tests, program: { name, sources } }: TestProgram, said: string): void {
  // What is behind the end of a file is ours, and is not understood because of what is before it.
  const all = compilerErrors(said).filter(
    ({ file, line }) => line <= (tests.find(({ path }) => path === file)?.source.split('\n').length ?? line),
  );
  const own = all.filter((error) => sources.some((path) => isAbout(error, path, name)));
  const errors = own.length > 0 ? own : all;
  const place = isMissingHere(errors, run.files, { program: name, project: run.cwd }) ? 'project' : 'nowhere';
  for (const test of tests) {
    const shown = errors.filter((error) => isAbout(error, test.path, name));
    const rendered = (shown.length > 0 ? shown : errors).map((each) => each.rendered).join('\n');
    notLoaded(test, rendered === '' ? said.slice(-4000) : rendered, place);
  }
}

async function runTests(
  project: CmakeProject,
  built: TestProgram,
  own: readonly CTest[],
  programs: readonly TestProgram[],
): Promise<void> {
  const { framework, program, tests } = built;
  const [first] = own;
  if (first === undefined) return;
  if (framework === 'plain') return runPlain(project, built, own);
  const canaries = tests.flatMap((each) => canaryIds(each.canaries));
  const onEnded = (id: string, isFailed: boolean): void => {
    if (!canaries.includes(id)) counter.endedOnce(`${program.name} ${id}`, isFailed);
  };
  const ran = await runProgram({ project, program, test: first, onEnded }, framework);
  process.stdout.write(ran.said);
  if (!ran.ended) {
    for (const test of tests) crashed(test, ran.said);
    return;
  }
  const ours = new Map(canaries.map((id) => [id, ran.cases.filter((each) => each.id === id)]));
  const cases = ran.cases.filter(({ id }) => !ours.has(id));
  for (const test of tests) {
    const others = programs.filter((each) => each.tests.includes(test)).length;
    const prefix = others > 1 ? [program.name] : [];
    for (const each of cases) if (fileOf(each, built) === test) reportCase(test, each, prefix);
    if (!ran.failed)
      report.line({
        event: 'tampered',
        index: test.index,
        why: 'the program reports success although cases of it failed: something hides failures',
      });
    addVerdict(test, verdictOf(test.canaries, ours));
  }
}

function canaryIds(canaries: CaseCanaries | null): string[] {
  return canaries === null ? [] : [canaries.pass, ...canaries.fails];
}

function verdictOf(canaries: CaseCanaries | null, found: ReadonlyMap<string, readonly CxxCase[]>): string {
  // A file of a program whose other files have the framework: it has no cases of its own.
  if (canaries === null) return SOUND;
  const statusOf = (id: string): string => {
    const [only, more] = found.get(id) ?? [];
    return only === undefined || more !== undefined ? 'lost' : only.status;
  };
  const fails = canaries.fails.map(statusOf);
  return `${statusOf(canaries.pass)}:${fails.find((each) => each !== 'failed') ?? 'failed'}`;
}

/** The test file that a case is written in, as far as the report says so; a header's cases count for the first file of the program. */
function fileOf({ file, names }: CxxCase, { program, tests }: TestProgram): TestFile | undefined {
  const path = file === '' ? '' : resolve(run.cwd, file);
  const exact = tests.find((test) => test.path === path);
  if (exact !== undefined) return exact;
  if (program.sources.includes(path)) return undefined;
  const name = (names.at(-1) ?? '').replace(/\/.*$/, '');
  return tests.find(({ source }) => source.includes(name)) ?? tests[0];
}

async function runPlain(
  project: CmakeProject,
  { program, tests, main }: TestProgram,
  own: readonly CTest[],
): Promise<void> {
  const results = await runPlainTests(project, own, (name, isFailed) => counter.endedOnce(name, isFailed));
  const first = own[0];
  const verdict =
    main === null || first === undefined ? 'lost:lost' : await askMain(project, program, first, main.variable);
  for (const test of tests) {
    for (const each of own) {
      const found = results.get(each.name);
      if (found !== undefined) reportCase(test, found, []);
    }
    addVerdict(test, verdict);
  }
}

function addVerdict({ index }: TestFile, verdict: string): void {
  verdicts.set(index, [...(verdicts.get(index) ?? []), verdict]);
}

function reportCase({ index }: TestFile, found: CxxCase, prefix: readonly string[]): void {
  const { names, status, seconds, message, isError } = found;
  if (status === 'failed') process.stdout.write(`${message}\n`);
  const kind = isError ? 'error' : 'assertion';
  const failure = { kind, message: message === '' ? 'failed' : message } as const;
  report.case({ index, names: [...prefix, ...names], status, durationMs: seconds * 1000, failure });
}

function notLoaded({ index }: TestFile, message: string, place: 'project' | 'nowhere'): void {
  broken.add(index);
  report.line({ event: 'load', index, type: 'build', message: text(message), place });
}

function crashed({ index }: TestFile, message: string): void {
  broken.add(index);
  report.line({ event: 'crash', index, message: text(message) });
}
