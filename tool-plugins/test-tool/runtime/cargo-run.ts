/**
 * Runs test files with `cargo test` and reports every case: the main program of a test sandbox.
 *
 * Each test file gets two functions of ours at its end while it is compiled: one test that passes, and one that fails unless the file's own macros hide
 * failed assertions. Before anything runs, the file is as it was. The kernel uses nothing of the report unless both are in it.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { canaryName } from '../shared/canary-name.ts';
import { CaseCounter } from '../shared/case-counter.ts';
import { buildTests, cargoProject } from '../shared/cargo/build.ts';
import type { Built, CargoPackage, CargoProject, TestProgram } from '../shared/cargo/build.ts';
import { isMissingHere } from '../shared/cargo/missing.ts';
import { targetDirectory } from '../shared/cargo/target.ts';
import { listTests, runRustTests } from '../shared/cargo/libtest.ts';
import type { RustCase, RustRun, RustTest } from '../shared/cargo/libtest.ts';
import { output } from '../shared/program-output.ts';
import { Report, describedRun, runToEnd, text } from '../shared/run-report.ts';
import type { Described, Failure } from '../shared/run-report.ts';

interface CargoRun extends Described {
  readonly options: {
    readonly args: readonly string[];
    /** Where installed crates are, if there are some, and the settings by which cargo takes them. */
    readonly crates: { readonly directory: string; readonly settings: readonly string[] };
  };
}

interface TestFile {
  readonly index: number;
  readonly path: string;
  readonly source: Buffer;
  readonly canaries: { readonly pass: string; readonly fail: string; readonly library: string };
  reported: boolean;
}

const STATUS = { ok: 'passed', failed: 'failed', ignored: 'skipped' } as const;

const run = describedRun<CargoRun>();
const report = new Report(run);
const counter = new CaseCounter(run);
const files = run.files.map(readTestFile);

await runToEnd(async () => {
  for (const { index } of files) report.line({ event: 'begin', index });
  const project = await cargoProject(run.cwd).catch(() => {
    throw new Error(
      'no Rust was found on this machine when the project was opened: cargo is neither in PATH nor in ~/.cargo/bin',
    );
  });
  if (typeof project === 'string') for (const { index } of files) notLoaded(index, project, false);
  else await runProject(project);
  report.end();
});

async function runProject(project: CargoProject): Promise<void> {
  const target = targetDirectory(project);
  process.env['CARGO_TARGET_DIR'] = target;
  try {
    const packages = Map.groupBy(files, (file) => packageOf(project, file.path));
    for (const [built, tests] of packages) if (built !== null) await runPackage(project, built, tests);
    for (const { index, reported } of files) if (!reported) report.line({ event: 'left_out', index });
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}

async function runPackage(project: CargoProject, built: CargoPackage, tests: readonly TestFile[]): Promise<void> {
  const result = await buildWithCanaries(project, built, tests);
  process.stdout.write(result.errors.map(({ rendered }) => rendered).join(''));
  const env = { ...process.env, ...(await runEnvironment(built)) };
  for (const program of result.programs) {
    const where = { executable: program.executable, cwd: built.directory, env };
    const listed = await listTests(where);
    const wanted = testsByFile(project, program, listed, tests);
    const names = [...wanted.values()].flat();
    const ours = new Set(tests.flatMap(({ canaries }) => [canaries.pass, canaries.fail]));
    const onEnded = (name: string, isFailed: boolean): void => {
      if (!ours.has(name.split('::').at(-1) ?? '')) counter.endedOnce(`${program.executable} ${name}`, isFailed);
    };
    if (names.length > 0) reportRun(await runRustTests({ ...where, onEnded }, names), wanted);
  }
  for (const test of tests) {
    if (test.reported) continue;
    const errors = result.errors.filter(({ rootFile }) => rootFile === test.path || !isOwnTarget(built, test.path));
    const blocked = errors.length > 0 ? errors : result.errors;
    if (blocked.length === 0 && result.programs.length > 0) continue;
    const said = blocked.map(({ rendered }) => rendered).join('\n');
    notLoaded(test.index, said === '' ? result.said : said, isMissingHere(project, test.path, run.files, blocked));
    test.reported = true;
  }
}

/** Built together; where that fails, one by one, since cargo stops at the first target that is not built. */
async function buildWithCanaries(
  project: CargoProject,
  built: CargoPackage,
  tests: readonly TestFile[],
): Promise<Built> {
  for (const { path, source, canaries } of tests) writeFileSync(path, withCanaries(source, canaries));
  try {
    const selections = [...new Set(tests.flatMap(({ path }) => selectionOf(built, path)))];
    const { args, crates } = run.options;
    const settings = existsSync(crates.directory) ? [...crates.settings, ...args] : args;
    const together = await buildTests(project, built, selections, settings);
    if (together.errors.length === 0 || selections.length === 1) return together;
    const each: Built[] = [];
    for (const selection of selections) each.push(await buildTests(project, built, [selection], settings));
    return {
      programs: each.flatMap(({ programs }) => programs),
      errors: each.flatMap(({ errors }) => errors),
      said: each.map(({ said }) => said).join(''),
    };
  } finally {
    for (const { path, source } of tests) writeFileSync(path, source);
  }
}

function packageOf({ packages }: CargoProject, path: string): CargoPackage | null {
  const around = packages.filter(({ directory }) => path.startsWith(`${directory}/`));
  return around.toSorted((one, other) => other.directory.length - one.directory.length)[0] ?? null;
}

function isOwnTarget({ targets }: CargoPackage, path: string): boolean {
  return targets.some(({ kind, src_path }) => kind.includes('test') && src_path === path);
}

/** What builds a test file: its own target, or all that could have it as a module. */
function selectionOf({ targets }: CargoPackage, path: string): string[] {
  const own = targets.find(({ kind, src_path }) => kind.includes('test') && src_path === path);
  if (own !== undefined) return [`--test=${own.name}`];
  const has = (part: string): boolean => targets.some(({ kind }) => kind.some((each) => each.endsWith(part)));
  return [...(has('lib') || has('proc-macro') ? ['--lib'] : []), ...(has('bin') ? ['--bins'] : [])];
}

/** What cargo gives a test program beside the environment. */
async function runEnvironment(built: CargoPackage): Promise<NodeJS.ProcessEnv> {
  const { stdout } = await output('rustc', ['--print=sysroot'], { cwd: built.directory });
  const libraries = [join(process.env['CARGO_TARGET_DIR'] ?? '', 'debug/deps'), join(stdout.trim(), 'lib')];
  return {
    CARGO: 'cargo',
    CARGO_MANIFEST_DIR: built.directory,
    CARGO_PKG_NAME: built.name,
    CARGO_PKG_VERSION: built.version,
    LD_LIBRARY_PATH: [...libraries, process.env['LD_LIBRARY_PATH'] ?? ''].filter((path) => path !== '').join(delimiter),
  };
}

/** A program for integration tests belongs to its first file, with all modules of it; of others the file of each test counts. */
function testsByFile(
  project: CargoProject,
  program: TestProgram,
  listed: readonly RustTest[],
  tests: readonly TestFile[],
): ReadonlyMap<TestFile, readonly string[]> {
  const found = new Map<TestFile, string[]>();
  for (const { name, source_path } of listed) {
    const file = program.isIntegrationTest ? program.rootFile : resolve(project.root, source_path);
    const test = tests.find(({ path, reported }) => path === file && !reported);
    if (test !== undefined) found.set(test, [...(found.get(test) ?? []), name]);
  }
  return found;
}

function reportRun(ran: RustRun, wanted: ReadonlyMap<TestFile, readonly string[]>): void {
  process.stdout.write(ran.said);
  for (const [test, names] of wanted) {
    test.reported = true;
    const canary = (kind: 'pass' | 'fail'): RustCase | undefined => {
      const name = names.find((each) => each.split('::').at(-1) === test.canaries[kind]);
      return name === undefined ? undefined : ran.cases.get(name);
    };
    const [pass, fail] = [canary('pass'), canary('fail')];
    for (const name of names) {
      const found = ran.cases.get(name);
      if (found !== undefined && found !== pass && found !== fail) reportCase(test.index, found, ran);
    }
    if (ran.contradiction !== null) report.line({ event: 'tampered', index: test.index, why: ran.contradiction });
    if (pass !== undefined && fail !== undefined) report.canaries(test.index, `${verdictOf(pass)}:${verdictOf(fail)}`);
  }
}

function verdictOf({ verdicts }: RustCase): string {
  return verdicts.length === 1 && verdicts[0] !== undefined ? STATUS[verdicts[0]] : 'lost';
}

function reportCase(index: number, { name, verdicts, output: said, seconds }: RustCase, around: RustRun): void {
  if (verdicts.length > 1)
    return report.line({ event: 'tampered', index, why: `${name} was reported as ${verdicts.join(' and as ')}` });
  const [verdict] = verdicts;
  process.stdout.write(said);
  report.case({
    index,
    names: name.split('::'),
    status: verdict === undefined ? 'failed' : STATUS[verdict],
    durationMs: seconds * 1000,
    failure:
      verdict === undefined
        ? { kind: 'error', message: `it ended the process\n${said}${around.said}` }
        : failureOf(said),
  });
}

function failureOf(said: string): Failure {
  const message = said.trim() === '' ? 'failed' : said.trimEnd();
  const isAssertion = /\bassertion\b.*failed|did not panic as expected/.test(said);
  return { kind: isAssertion ? 'assertion' : 'error', message };
}

function notLoaded(index: number, message: string, isMissing: boolean): void {
  report.line({
    event: 'load',
    index,
    type: 'build',
    message: text(message),
    place: isMissing ? 'project' : 'nowhere',
  });
}

function readTestFile(path: string, index: number): TestFile {
  const source = readFileSync(path);
  const own = source.toString('utf8');
  const [pass, fail, library] = namesBeside(`${own} ${basename(dirname(path))}`);
  return { index, path, source, canaries: { pass, fail, library }, reported: false };
}

/** Three names that occur nowhere in a text. */
function namesBeside(source: string): [string, string, string] {
  const names = new Set<string>();
  while (names.size < 3) {
    const name = canaryName([]).replaceAll(' ', '_');
    const free = source.includes(name) || names.has(name) ? `${name}_${names.size + 2}` : name;
    if (!source.includes(free)) names.add(free);
  }
  const [pass = '', fail = '', library = ''] = names;
  return [pass, fail, library];
}

/**
 * The failing one calls the macros as the file sees them. If one of them does not fail, the test passes, and shows it. The standard library has a name of its own
 * there: a crate without it (`no_std`) has no `::std`.
 */
function withCanaries(source: Buffer, { pass, fail, library }: TestFile['canaries']): string {
  const falsehoods = ['assert!(1 == 2)', 'assert_eq!(1, 2)', 'assert_ne!(1, 1)'];
  const held = falsehoods.map((each) => `${library}::panic::catch_unwind(|| { ${each}; }).is_err()`).join(' && ');
  return `${source.toString('utf8')}
#[test] fn ${pass}() { assert!(1 == 1); assert_eq!(1, 1); assert_ne!(1, 2); }
#[test] fn ${fail}() { extern crate std as ${library}; if ${held} { ${library}::panic!("as it should") } }
`;
}
