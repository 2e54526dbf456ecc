import type { TestCase } from '../../contracts/test-run.ts';

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
