/**
 * Runs Java test files with Maven's Surefire and reports every case: the main program of a test sandbox.
 *
 * Each test class gets a method of ours at its end while it is compiled and run, which has to fail; each module gets a class of ours with a test that has
 * to pass. Afterwards the files are as they were. The kernel uses nothing of the report unless both are in it.
 */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { CaseCounter } from '../shared/case-counter.ts';
import { javaName, passingClass, withFailingCanary } from '../shared/java/canaries.ts';
import { isMissingHere, javaErrors } from '../shared/java/missing.ts';
import type { JavaError } from '../shared/java/missing.ts';
import { declaredIn, javaFiles } from '../shared/java/own-names.ts';
import { readJavaSource } from '../shared/java/source.ts';
import type { JavaFramework, JavaSource } from '../shared/java/source.ts';
import { moduleName, moduleOf, modulesBelow, removeBuilt, surefireResults } from '../shared/java/maven-modules.ts';
import { output } from '../shared/program-output.ts';
import { whileRunning } from '../shared/while-running.ts';
import { withMissingArtifact } from '../shared/java/missing-artifact.ts';
import type { ReportedResult } from '../shared/reported-result.ts';
import { Report, describedRun, runToEnd, text } from '../shared/run-report.ts';
import type { Described } from '../shared/run-report.ts';

interface MavenRun extends Described {
  readonly options: { readonly args: readonly string[] };
}

interface TestFile {
  readonly index: number;
  readonly path: string;
  /** Absolute directory with its pom.xml. */
  readonly module: string;
  readonly text: string;
  readonly source: JavaSource & { readonly end: number };
  readonly framework: JavaFramework;
  /** Method in its class that has to fail. */
  readonly failing: string;
}

/** A class of ours in the place of a module's first test. */
interface PassingClass {
  readonly module: string;
  readonly path: string;
  readonly packageName: string;
  readonly name: string;
  readonly method: string;
  readonly framework: JavaFramework;
}

interface Ran {
  readonly said: string;
  readonly errors: readonly JavaError[];
}

const run = describedRun<MavenRun>();
const report = new Report(run);
const counter = new CaseCounter(run);
const allTests = run.files.map((path) => readFileSync(path, 'utf8')).join('\n');

await runToEnd(async () => {
  for (const index of run.files.keys()) report.line({ event: 'begin', index });
  const modules = modulesBelow(run.cwd);
  const files = run.files.flatMap((path, index) => readTestFile(path, index, modules) ?? []);
  const taken = new Set(files.map(({ index }) => index));
  for (const index of run.files.keys()) if (!taken.has(index)) report.line({ event: 'left_out', index });
  if (files.length > 0) await runFiles(files, modules);
  report.end();
});

/** null for a file without tests of its own: its class is abstract, or it is in no module. */
function readTestFile(path: string, index: number, modules: readonly string[]): TestFile | null {
  const content = readFileSync(path, 'utf8');
  const source = readJavaSource(path, content);
  const module = moduleOf(modules, path);
  if (source.end === null || module === null) return null;
  const framework = source.framework ?? usualFramework(module);
  const failing = javaName('method', framework, allTests);
  return { index, path, module, text: content, source: { ...source, end: source.end }, framework, failing };
}

/** What the module's pom.xml, and that of the project, name. */
function usualFramework(module: string): JavaFramework {
  const named = [...new Set([module, run.cwd])].map((each) => readFileSync(join(each, 'pom.xml'), 'utf8')).join('\n');
  if (/\bjupiter\b/.test(named)) return 'jupiter';
  if (/<artifactId>testng</.test(named)) return 'testng';
  return /<artifactId>junit</.test(named) ? 'junit4' : 'jupiter';
}

async function runFiles(files: readonly TestFile[], modules: readonly string[]): Promise<void> {
  const passing = [...Map.groupBy(files, ({ module }) => module).values()].flatMap(([first]) =>
    first === undefined ? [] : [passingIn(first)],
  );
  try {
    const ran = await runWithCanaries(files, passing, modules);
    process.stdout.write(ran.said);
    for (const { module, ...own } of passing) {
      const tests = files.filter((each) => each.module === module);
      reportModule(tests, { module, ...own }, ran, modules);
    }
  } finally {
    for (const { path, text: content } of files) writeFileSync(path, content);
    for (const { path } of passing) rmSync(path, { force: true });
    removeBuilt(modules);
  }
}

function passingIn({ path, module, source, framework }: TestFile): PassingClass {
  const name = javaName('class', framework, allTests);
  const method = javaName('method', framework, allTests);
  const { packageName } = source;
  return { module, path: join(dirname(path), `${name}.java`), packageName, name, method, framework };
}

/** Built again without the assertions as the classes see them, where these turn out to be other methods of the same name. */
async function runWithCanaries(
  files: readonly TestFile[],
  passing: readonly PassingClass[],
  modules: readonly string[],
): Promise<Ran> {
  for (const each of passing)
    writeFileSync(each.path, passingClass(each.packageName, each.name, each.method, each.framework));
  const qualified = new Set<string>();
  for (;;) {
    const lines = new Map<string, number>();
    for (const { path, text: content, source, framework, failing } of files) {
      const canary = { name: failing, framework, qualified: qualified.has(path) };
      const made = withFailingCanary(content, source, canary);
      writeFileSync(path, made.text);
      lines.set(path, made.line);
    }
    removeBuilt(modules);
    const ran = await runMaven(files, passing);
    const ours = ran.errors.filter(({ file, line }) => lines.get(file) === line && !qualified.has(file));
    if (ours.length === 0) return ran;
    for (const { file } of ours) qualified.add(file);
  }
}

async function runMaven(files: readonly TestFile[], passing: readonly PassingClass[]): Promise<Ran> {
  const className = (packageName: string, name: string) => qualifiedName(packageName, name).replaceAll('.', '/');
  const classes = [
    ...files.map(({ source }) => className(source.packageName, source.className)),
    ...passing.map(({ packageName, name }) => className(packageName, name)),
  ];
  const named = [...new Set(files.map(({ module }) => moduleName(run.cwd, module)))];
  const selected = named.length === 1 && named[0] === '.' ? [] : ['-pl', named.join(','), '-am'];
  const args = [
    ...['-B', '-q', '-o', '-fae', '-Dstyle.color=never', `-Dtest=${classes.join(',')}`],
    // A module above with a failing canary would keep those below from being run.
    '-Dmaven.test.failure.ignore=true',
    ...['-DfailIfNoTests=false', '-Dsurefire.failIfNoSpecifiedTests=false', '-Dsurefire.failIfNoTests=false'],
    ...['-DskipTests=false', '-Dmaven.test.skip=false'],
    ...['-Dsurefire.rerunFailingTestsCount=0', '-Dsurefire.skipAfterFailureCount=0'],
    ...run.options.args,
    ...selected,
    'test',
  ];
  const ended = await whileRunning(output('mvn', args, { cwd: run.cwd }), countReports(files, passing)).catch(() => {
    throw new Error(
      'no Maven with a JDK was found on this machine when the project was opened: mvn or javac is not in PATH',
    );
  });
  const said = withMissingArtifact(stripVTControlCharacters(ended.stdout + ended.stderr));
  return { said, errors: javaErrors(said) };
}

/** Surefire writes a report for each class when it has ended. One that has grown since the last look is read again. */
function countReports(files: readonly TestFile[], passing: readonly PassingClass[]): () => void {
  const sizes = new Map<string, number>();
  const hasGrown = (path: string): boolean => {
    const { size } = statSync(path);
    const isNew = sizes.get(path) !== size;
    sizes.set(path, size);
    return isNew;
  };
  const canaries = new Set([...files.map(({ failing }) => failing), ...passing.map(({ method }) => method)]);
  return () => {
    for (const { module } of passing)
      for (const { place, name, status } of surefireResults(module, hasGrown))
        if (!canaries.has(methodOf(name))) counter.endedOnce(`${module} ${place} ${name}`, status === 'failed');
  };
}

function reportModule(tests: readonly TestFile[], passing: PassingClass, ran: Ran, modules: readonly string[]): void {
  const results = surefireResults(passing.module);
  if (results.length === 0) return reportNotBuilt(tests, ran, modules);
  const own = qualifiedName(passing.packageName, passing.name);
  const truth = statusOf(results.filter(({ place, name }) => place === own && methodOf(name) === passing.method));
  for (const test of tests) reportFile(test, resultsOf(test, results), truth, ran);
}

function reportNotBuilt(tests: readonly TestFile[], { said, errors: all }: Ran, modules: readonly string[]): void {
  const inModule = all.filter(({ file }) => moduleOf(modules, file) === tests[0]?.module);
  // Without any of its own, it is a module above that was not built.
  const errors = inModule.length > 0 ? inModule : all;
  if (errors.length === 0) {
    for (const { index } of tests)
      report.line({ event: 'crash', index, message: text(said === '' ? 'Maven ran no test' : said) });
    return;
  }
  const files = [...new Set([...run.files, ...javaFiles(modules, 'src/test')])];
  const isMissing = isMissingHere(errors, files, declaredIn(modules));
  for (const { index, path } of tests) {
    const own = errors.filter(({ file }) => file === path);
    const shown = (own.length > 0 ? own : errors).map(({ rendered }) => rendered).join('\n');
    const place = isMissing ? 'project' : 'nowhere';
    report.line({ event: 'load', index, type: 'build', message: text(shown), place });
  }
}

function resultsOf({ source }: TestFile, results: readonly ReportedResult[]): ReportedResult[] {
  const name = qualifiedName(source.packageName, source.className);
  return results.filter(({ place }) => place === name || place.startsWith(`${name}$`));
}

function reportFile({ index, failing }: TestFile, own: readonly ReportedResult[], truth: string, { said }: Ran): void {
  const isCanary = ({ name }: ReportedResult): boolean => methodOf(name) === failing;
  const canaries = own.filter(isCanary);
  const cases = own.filter((each) => !isCanary(each));
  for (const each of cases) reportCase(index, each);
  const falsehood = statusOf(canaries);
  // Nothing of the class counts as passed: what keeps its tests from running is no lie.
  if (cases.length > 0 && falsehood !== 'passed' && cases.every(({ status }) => status === 'skipped'))
    return report.line({ event: 'left_out', index });
  if (canaries.length === 0 && cases.every(({ status }) => status === 'failed')) {
    const message = cases.length > 0 ? cases.map((each) => each.message).join('\n') : said;
    return report.line({
      event: 'crash',
      index,
      message: text(message === '' ? 'Surefire ran no test of it' : message),
    });
  }
  report.canaries(index, `${truth}:${falsehood}`);
}

function qualifiedName(packageName: string, className: string): string {
  return packageName === '' ? className : `${packageName}.${className}`;
}

/** One status, where a parameterized class has many results; `lost` without a result, or with different ones. */
function statusOf(results: readonly ReportedResult[]): string {
  const statuses = [...new Set(results.map(({ status }) => status))];
  return statuses.length === 1 ? (statuses[0] ?? 'lost') : 'lost';
}

/** The method of a result: Surefire adds parameters and indices. */
function methodOf(name: string): string {
  return /^\w*/.exec(name)?.[0] ?? '';
}

function reportCase(index: number, { name, place, status, isError, seconds, message }: ReportedResult): void {
  const nested = place.split('$').slice(1);
  const isTimeout = /execution (?:exceeded timeout|timed out)|TestTimedOutException|timed out after/.test(message);
  const kind = isTimeout ? 'timeout' : isError ? 'error' : 'assertion';
  report.case({
    index,
    names: [...nested, name === '' ? '(class)' : name],
    status,
    durationMs: seconds * 1000,
    failure: { kind, message: message === '' ? 'failed' : message },
  });
}
