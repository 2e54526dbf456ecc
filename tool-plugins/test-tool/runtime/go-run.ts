/**
 * Runs test files with `go test` and reports every case: the main program of a test sandbox.
 *
 * Each package gets a test file of ours by an overlay, so that nothing is written into the project: one canary that passes, and one that fails.
 * Cases come from the events of `go test -json`. Go attributes them to packages: the file of a case is the one that declares its function. The kernel
 * uses nothing of the report unless the canaries are in it.
 */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ownValue } from '../../../src/lib/own-value.ts';
import { linkGoCache } from '../../sdk/link-go-cache.ts';
import { CaseCounter } from '../shared/case-counter.ts';
import { canariesBeside, canarySource } from '../shared/go/canaries.ts';
import type { Canaries } from '../shared/go/canaries.ts';
import { endedGoCase, readGoEvents } from '../shared/go/events.ts';
import type { GoCase, GoPackage } from '../shared/go/events.ts';
import { isMissingHere } from '../shared/go/missing.ts';
import { throwForOlderGo } from '../shared/go/older-go.ts';
import { readGoProfile } from '../shared/go/profile.ts';
import { output } from '../shared/program-output.ts';
import { Report, describedRun, runToEnd, text } from '../shared/run-report.ts';
import type { Described, Failure } from '../shared/run-report.ts';

interface GoRun extends Described {
  readonly options: {
    readonly args: readonly string[];
    /** Where the modules of a layer are, if there is one. */
    readonly modules: string;
  };
}

interface TestFile {
  readonly index: number;
  readonly path: string;
  /** Its `package` clause. */
  readonly packageName: string;
  readonly functions: readonly string[];
  readonly imports: readonly string[];
}

const FUNCTION = /^func ((?:Test|Fuzz|Example)\w*)\s*\(/gm;
const CACHE = '/tmp/go-cache';

/** A panic ends all tests of its package: the others are run again without it, at most this often. */
const MAX_PANICS = 8;
const STATUS: Readonly<Record<string, 'passed' | 'failed' | 'skipped'>> = {
  pass: 'passed',
  fail: 'failed',
  skip: 'skipped',
};

const run = describedRun<GoRun>();
const report = new Report(run);
const counter = new CaseCounter(run);
const canaries = canariesBeside(run.files.map((path) => textAt(path)).join('\n'));
/** null at the root of a workspace. */
const modulePath = /^module\s+"?([^\s"]+)/m.exec(textAt(join(run.cwd, 'go.mod')))?.[1] ?? null;
/** Lines that ran, by the name that profiles have for their file. */
const executed = new Map<string, Set<number>>();

await runToEnd(async () => {
  const { env } = process;
  if (env['GOROOT'] === undefined)
    throw new Error('no Go was found, neither in PATH nor in /usr/local/go, when the project was opened');
  env['GOCACHE'] = writableCache(env['GOCACHE']);
  if (existsSync(run.options.modules)) env['GOMODCACHE'] = run.options.modules;
  const files = run.files.map(readTestFile);
  const packages = Map.groupBy(files, ({ path }) => dirname(path));
  for (const { index } of files) report.line({ event: 'begin', index });
  const own = [...packages].filter(([directory]) => isOfThisModule(directory));
  const ran = own.length === 0 ? new Map<string, GoPackage>() : await goTest(new Map(own));
  for (const [directory, tests] of packages) {
    const name = nameIn(ran, directory);
    const found = ran.get(name);
    if (!isOfThisModule(directory)) for (const { index } of tests) report.line({ event: 'left_out', index });
    else reportPackage(tests, found, buildOutput(ran, name, found));
  }
  const ofSources = executedSources();
  for (const { index } of files) report.coverage(index, ofSources);
  report.end();
});

/** Flags by which the packages of the sources are counted, whatever package the tests are in. */
function counting(profile: string): string[] {
  const directories = new Set(run.cover.filter((path) => isBelow(path)).map((path) => dirname(path)));
  if (directories.size === 0) return [];
  const packages = [...directories].map((directory) => `./${relative(run.cwd, directory)}`);
  return [`-coverprofile=${profile}`, '-covermode=set', `-coverpkg=${packages.join(',')}`];
}

/** A source of this module; all tests of a run are counted together. */
function isBelow(path: string): boolean {
  return path.endsWith('.go') && path.startsWith(`${run.cwd}/`) && isOfThisModule(dirname(path));
}

/** Lines by place in `cover`, for sources whose package was built with one of the tests. */
function executedSources(): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (const [place, path] of run.cover.entries()) {
    const lines = isBelow(path) ? executed.get(nameOfSource(path)) : undefined;
    if (lines !== undefined) found.set(place, [...lines]);
  }
  return found;
}

/** As a profile names a file: by the import path of its package. */
function nameOfSource(path: string): string {
  return `${modulePath ?? ''}/${relative(run.cwd, path)}`;
}

/** The cache of this run. */
function writableCache(from: string | undefined): string {
  const target = process.env['TMPDIR'] === undefined ? CACHE : join(process.env['TMPDIR'], 'go-cache');
  linkGoCache(from, target);
  return target;
}

function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function readTestFile(path: string, index: number): TestFile {
  const source = textAt(path);
  const imports = [...source.matchAll(/^(?:import\s+|\s+)(?:[\w.]+\s+)?"([^"]+)"/gm)].map(([, each]) => each ?? '');
  return {
    index,
    path,
    packageName: /^package\s+(\w+)/m.exec(source)?.[1] ?? 'main',
    functions: [...source.matchAll(FUNCTION)].map(([, name]) => name ?? ''),
    imports,
  };
}

/** A directory with a go.mod of its own, or below one, is another module. */
function isOfThisModule(directory: string): boolean {
  if (directory === run.cwd) return true;
  return !existsSync(join(directory, 'go.mod')) && isOfThisModule(dirname(directory));
}

/** The import path of a directory, as the events have it: below the module's path, or one of a workspace. */
function nameIn(ran: ReadonlyMap<string, GoPackage>, directory: string): string {
  const below = relative(run.cwd, directory);
  if (modulePath !== null) return below === '' ? modulePath : `${modulePath}/${below}`;
  const parts = below.split('/');
  const endings = parts.map((_, index) => parts.slice(index).join('/'));
  return (
    endings.flatMap((end) => [...ran.keys()].find((path) => path === end || path.endsWith(`/${end}`)) ?? [])[0] ?? below
  );
}

async function goTest(packages: ReadonlyMap<string, readonly TestFile[]>): Promise<ReadonlyMap<string, GoPackage>> {
  const temporary = process.env['TMPDIR'] ?? '/tmp';
  const sources = mkdtempSync(join(temporary, 'go-'));
  const names = [...packages.values()].flat().flatMap(({ functions }) => functions);
  const replace: Record<string, string> = {};
  for (const [directory, tests] of packages) {
    const packageName = tests[0]?.packageName ?? 'main';
    const source = join(sources, `${packageName}.go`);
    writeFileSync(source, canarySource(packageName, canaries));
    // Files are built in the order of their names.
    replace[join(directory, `zz_${canaries.fail.toLowerCase()}_test.go`)] = source;
  }
  const overlay = join(sources, 'overlay.json');
  const profile = join(sources, 'counts');
  writeFileSync(overlay, JSON.stringify({ Replace: replace }));
  const pattern = `^(?:${[...names, canaries.pass, canaries.fail].join('|')})$`;
  const goTestOf = async (directories: readonly string[], skipped: readonly string[]) => {
    const args = ['test', '-json', '-count=1', '-p=1', `-overlay=${overlay}`, `-run=${pattern}`, ...counting(profile)];
    const skip = skipped.length === 0 ? [] : [`-skip=^(?:${skipped.join('|')})$`];
    const targets = directories.map((directory) => `./${relative(run.cwd, directory)}`);
    const ended = await output('go', [...args, ...skip, ...run.options.args, ...targets], {
      cwd: run.cwd,
      onLine: countCase,
    });
    process.stderr.write(ended.stderr);
    throwForOlderGo(ended.stderr);
    readGoProfile(textAt(profile), executed);
    return readGoEvents(ended.stdout);
  };
  const ran = new Map(await goTestOf([...packages.keys()], []));
  for (const directory of packages.keys()) {
    const name = nameIn(ran, directory);
    const first = ran.get(name);
    if (first !== undefined)
      ran.set(name, await withoutPanics(first, async (skipped) => (await goTestOf([directory], skipped)).get(name)));
  }
  return ran;
}

function countCase(line: string): void {
  const ended = endedGoCase(line);
  if (ended === null || ended.test === canaries.pass || ended.test === canaries.fail) return;
  counter.endedOnce(ended.id, ended.isFailed);
}

/** A run of a package in which no test panics, with the cases of those that did. */
async function withoutPanics(
  first: GoPackage,
  again: (skipped: readonly string[]) => Promise<GoPackage | undefined>,
): Promise<GoPackage> {
  const panicked = new Map<string, GoCase>();
  let last = first;
  for (let round = 0; round < MAX_PANICS && !last.cases.has(canaries.fail); round += 1) {
    const culprits = [...last.cases.values()].filter(
      ({ output: said, verdicts }) => verdicts.includes('fail') && /^panic: /m.test(said),
    );
    const tops = new Set(culprits.map(({ name }) => topOf(name)));
    if (tops.size === 0) break;
    for (const each of last.cases.values()) if (tops.has(topOf(each.name))) panicked.set(each.name, each);
    last = (await again([...panicked.keys()].map(topOf))) ?? last;
  }
  return { ...last, cases: new Map([...panicked, ...last.cases]) };
}

function topOf(name: string): string {
  return name.split('/')[0] ?? '';
}

/** What the compiler said of a package that was not built; null for one that was. */
function buildOutput(ran: ReadonlyMap<string, GoPackage>, name: string, found?: GoPackage): string | null {
  if (found !== undefined && found.failedBuild === null && found.cases.size > 0) return null;
  const build = found?.failedBuild ?? null;
  const said = [...ran].filter(([path]) =>
    build === null ? path === name || path.startsWith(`${name} `) : path === build,
  );
  const all = said.map(([, each]) => each.output).join('');
  if (build === null && !/\[(?:build|setup) failed\]|^\S+\.go:\d+/m.test(all)) return null;
  return all;
}

function reportPackage(tests: readonly TestFile[], found: GoPackage | undefined, build: string | null): void {
  if (build !== null) {
    process.stdout.write(build);
    for (const test of tests) {
      const place = isMissingHere(build, test.imports, modulePath) ? 'project' : 'nowhere';
      report.line({ event: 'load', index: test.index, type: 'build', message: text(build), place });
    }
    return;
  }
  process.stdout.write([...(found?.cases.values() ?? [])].map((each) => each.output).join(''));
  const verdict = (kind: keyof Canaries): string => found?.cases.get(canaries[kind])?.verdicts.join() ?? '';
  for (const test of tests) {
    for (const each of found?.cases.values() ?? [])
      if (test.functions.includes(topOf(each.name))) reportCase(test.index, each, found?.output ?? '');
    if (found?.verdict !== 'fail') {
      const why = 'go test says that a package with a failing canary passed: something hides failures';
      if (verdict('fail') !== '') report.line({ event: 'tampered', index: test.index, why });
    }
    if (verdict('pass') !== '' && verdict('fail') !== '')
      report.canaries(
        test.index,
        `${ownValue(STATUS, verdict('pass')) ?? 'lost'}:${ownValue(STATUS, verdict('fail')) ?? 'lost'}`,
      );
    else if (endedEarly(found)) report.line({ event: 'crash', index: test.index, message: text(found?.output ?? '') });
  }
}

/** A package that failed by ending its process: in a test, or before any test began, as `TestMain` can. */
function endedEarly(found: GoPackage | undefined): boolean {
  const beforeAny = found?.verdict === 'fail' && found.cases.size === 0;
  return beforeAny || /^panic: |^fatal error: |^exit status /m.test(found?.output ?? '');
}

function reportCase(index: number, { name, verdicts, output: said, seconds }: GoCase, around: string): void {
  if (verdicts.length > 1)
    return report.line({ event: 'tampered', index, why: `${name} was reported as ${verdicts.join(' and as ')}` });
  const status = ownValue(STATUS, verdicts[0] ?? '') ?? 'failed';
  const all = verdicts.length === 0 ? `it did not end\n${said}${around}` : said;
  const names = name.split('/');
  report.case({ index, names, status, durationMs: seconds * 1000, failure: failureOf(all) });
}

function failureOf(said: string): Failure {
  const message = said.trim() === '' ? 'failed' : said.replace(/\n$/, '');
  if (/^panic: test timed out after/m.test(said)) return { kind: 'timeout', message };
  return { kind: /^panic: |it did not end/m.test(said) ? 'error' : 'assertion', message };
}
