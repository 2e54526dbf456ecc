import type { TestSandboxResult } from '../../../src/contracts/ports/sandboxes.ts';
import type { TestRunOf } from './fake-sandboxes.ts';

/** Whether each case of the one test file passes. */
export type Cases = Readonly<Record<string, boolean>>;

/** What node:test reports of a run of one file with these cases, the kernel's own canary cases included. */
export function nodeTestReport({ operation }: TestRunOf, cases: Cases): Partial<TestSandboxResult> {
  const prefix = /"(canary_\d+)-0-pass"/.exec(operation.job.files[0]?.content ?? '')?.[1] ?? '';
  const line = (name: string, passes: boolean) => ({
    event: passes ? 'pass' : 'fail',
    name,
    nesting: 0,
    file: '/fluffy/job/w00000.mjs',
  });
  const lines = [
    ...Object.entries(cases).map(([name, passes]) => line(name, passes)),
    line(`${prefix}-0-pass`, true),
    line(`${prefix}-0-fail`, false),
    { event: 'end' },
  ];
  return {
    exit: { kind: 'exited', code: 1 },
    report: Buffer.from(`${lines.map((each) => JSON.stringify(each)).join('\n')}\n`),
  };
}
