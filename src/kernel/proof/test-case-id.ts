import type { TestCase } from '../../contracts/sandbox/test-run.ts';

/** Identity of a test case across runs: its file and full name. A file may hold two of one name; they share an identity. */
export type TestCaseId = string & { readonly __brand: 'TestCaseId' };

export function caseId(testCase: Pick<TestCase, 'file' | 'name'>): TestCaseId {
  return `${testCase.file}\0${testCase.name}` as TestCaseId;
}

/** The reverse of `caseId`; a name may hold anything, a file no NUL. */
export function splitCaseId(id: string): { file: string; name: string } {
  const cut = id.indexOf('\0');
  return { file: id.slice(0, cut), name: id.slice(cut + 1) };
}

/** `file › name`, for people. */
export function describeCase(id: TestCaseId): string {
  return id.replace('\0', ' › ');
}

/** Worst wins: two cases of one identity pass only together, and a report that says both passed and failed says failed. */
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

/** What fails around cases, a hook or a check of the whole file, is reported by a name that no passing run has. */
const HOOK = /^(?:(?<suite>.*) > )?(?:\(hooks\)|\(file\)|"(?:before|after) (?:all|each)" hook.*)$/s;

/**
 * The cases in which what failed before shows in another run of the same files: itself; or, where a hook or a whole suite failed and there is no failure of it any
 * more, the cases of that suite. Empty: the run has nothing of it.
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

/** The worst of them; undefined: the run has none. */
export function outcomeOf(id: string, cases: readonly TestCase[]): TestCase | undefined {
  const found = casesOfFailure(id, cases);
  return found.find(({ status }) => status !== 'passed') ?? found[0];
}

/** What has to be known of red and green to name the new cases. */
export interface RedAndGreen {
  readonly red: { readonly cases: readonly string[]; readonly files: readonly string[] };
  /** Cases that passed before the session. */
  readonly before: readonly string[];
  readonly suite: readonly TestCase[];
}

/**
 * The new cases as the green suite reports them. A file that could not be loaded or built without the source has no case of its own at red: then all of its
 * cases are new that did not pass before, or all of them where each did.
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
