import type { TestSandboxResult } from '../../../src/contracts/ports/sandboxes.ts';
import type { TestRunOf } from './fake-sandboxes.ts';

/** Whether each case of the one test file passes. */
export type Cases = Readonly<Record<string, boolean>>;

/** What node:test reports of a run of one file with these cases, the kernel's own canary cases included. */
export function nodeTestReport(run: TestRunOf, cases: Cases): Partial<TestSandboxResult> {
  return nodeTestReports(run, () => cases);
}

/** The same of a run of several files. `casesOf` is asked for each, by its path. */
export function nodeTestReports(
  { operation, files }: TestRunOf,
  casesOf: (path: string) => Cases,
): Partial<TestSandboxResult> {
  const paths = [...files.keys()];
  const lines = operation.job.files.flatMap(({ name, content }, index) => {
    const prefix = /"(canary_[a-z0-9]+)-\d+-pass"/.exec(content)?.[1] ?? '';
    const path = paths.find((each) => content.includes(`/${each}"`)) ?? '';
    const line = (title: string, passes: boolean) => ({
      event: passes ? 'pass' : 'fail',
      name: title,
      nesting: 0,
      file: `/fluffy/job/${name}`,
    });
    return [
      ...Object.entries(casesOf(path)).map(([title, passes]) => line(title, passes)),
      line(`${prefix}-${index}-pass`, true),
      line(`${prefix}-${index}-fail`, false),
    ];
  });
  return {
    exit: { kind: 'exited', code: 1 },
    report: Buffer.from(`${[...lines, { event: 'end' }].map((each) => JSON.stringify(each)).join('\n')}\n`),
  };
}
