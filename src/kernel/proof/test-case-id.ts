import type { TestCase } from '../../contracts/sandbox/test-run.ts';

/**
 * Identity of a test case across runs: its file and full name. Two cases with the same name in one file share an
 * identity.
 */
export type TestCaseId = string & { readonly __brand: 'TestCaseId' };

export function caseId(testCase: Pick<TestCase, 'file' | 'name'>): TestCaseId {
  return `${testCase.file}\0${testCase.name}` as TestCaseId;
}

/** The reverse of `caseId`. A name may contain any character; a file name contains no NUL. */
export function splitCaseId(id: string): { file: string; name: string } {
  const cut = id.indexOf('\0');
  return { file: id.slice(0, cut), name: id.slice(cut + 1) };
}

/** `file › name`, as shown to people. */
export function describeCase(id: TestCaseId): string {
  return id.replace('\0', ' › ');
}

/** The worst status of an identity counts: two cases that share it pass only if both pass. */
const SEVERITY = { passed: 0, skipped: 1, todo: 2, failed: 3 } as const;

export function casesById(cases: readonly TestCase[]): ReadonlyMap<TestCaseId, TestCase> {
  const found = new Map<TestCaseId, TestCase>();
  for (const each of cases) {
    const id = caseId(each);
    const before = found.get(id);
    if (before === undefined || SEVERITY[each.status] > SEVERITY[before.status]) found.set(id, each);
  }
  return found;
}

/**
 * Names that runners give to failures outside of a case, in a hook or a check of the whole file. A passing run has no
 * case with such a name.
 */
const HOOK = /^(?:(?<suite>.*) > )?(?:\(hooks\)|\(file\)|"(?:before|after) (?:all|each)" hook.*)$/s;

/**
 * Returns the cases that show the result of an earlier failure in another run of the same files. This is the case
 * itself. If a hook or a whole suite failed before and the run has no such entry, it is all cases of that suite. Empty
 * if the run has neither.
 */
export function casesOfFailure(id: string, cases: readonly TestCase[]): readonly TestCase[] {
  const byId = casesById(cases);
  const own = byId.get(id as TestCaseId);
  if (own !== undefined) return [own];
  const { file, name } = splitCaseId(id);
  const hook = HOOK.exec(name);
  const suite = hook === null ? name : (hook.groups?.['suite'] ?? '');
  return [...byId.values()].filter(
    (each) => each.file === file && (suite === '' || each.name.startsWith(`${suite} > `)),
  );
}

/** The first of these cases that did not pass, or one that passed; undefined if the run has no such case. */
export function outcomeOf(id: string, cases: readonly TestCase[]): TestCase | undefined {
  const found = casesOfFailure(id, cases);
  return found.find(({ status }) => status !== 'passed') ?? found[0];
}

/** The facts that `newCasesAtGreen` needs. */
export interface RedAndGreen {
  readonly red: { readonly cases: readonly string[]; readonly files: readonly string[] };
  /** Cases that passed before the session. */
  readonly before: readonly string[];
  readonly suite: readonly TestCase[];
}

/**
 * Returns the ids of the new cases in the green suite. If a file could not be loaded or built without the source, the
 * red run has no cases of it. Then its cases that did not pass before are new, or all of its cases if each of them
 * passed before.
 */
export function newCasesAtGreen({ red, before, suite }: RedAndGreen): readonly string[] {
  const found = new Set(red.cases.flatMap((id) => casesOfFailure(id, suite).map(caseId)));
  const known = new Set([...found].map((id) => splitCaseId(id).file));
  const files = new Set([...red.cases.map((id) => splitCaseId(id).file), ...red.files]);
  const old = new Set(before);
  for (const file of files) {
    if (known.has(file)) continue;
    const cases = suite.filter((each) => each.file === file).map(caseId);
    const added = cases.filter((id) => !old.has(id));
    for (const id of added.length === 0 ? cases : added) found.add(id);
  }
  return [...found];
}
