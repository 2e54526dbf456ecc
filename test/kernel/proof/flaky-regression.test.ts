import { expect, it } from 'vitest';
import type { Baseline } from '../../../src/contracts/session/session-facts.ts';
import { whyFlaky } from '../../../src/kernel/proof/flaky-regression.ts';
import type { TestCase, TestRun } from '../../../src/contracts/sandbox/test-run.ts';
import { caseId } from '../../../src/kernel/proof/test-case-id.ts';
import type { Cases } from '../../support/kernel/node-test-report.ts';
import { nodeTestReports } from '../../support/kernel/node-test-report.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

const COMMAND = { runner: 'node-test', cwd: '', args: [] };
const id = (name: string) => caseId({ file: 'test/a.test.js', name });

/** What is said of a suite with these cases, and the files that ran again, with these results. */
async function judged(cases: Cases, again: Cases, baseline: Baseline) {
  const { services, session, workspace, sandboxes } = testKernel({ files: { 'test/a.test.js': '' } });
  const files: string[] = [];
  sandboxes.runTests = (run) =>
    nodeTestReports(run, (path) => {
      files.push(path);
      return again;
    });
  const found = Object.entries(cases).map(([name, passes]): TestCase => ({
    file: 'test/a.test.js',
    name,
    status: passes ? 'passed' : 'failed',
    duration_ms: 1,
  }));
  const run: TestRun = {
    outcome: 'failed',
    cases: found,
    files: ['test/a.test.js'],
    requested: [],
    exit: { kind: 'exited', code: 1 },
    duration_ms: 1,
    output: '',
  };
  const context = { services, session, workspace, signal: new AbortController().signal };
  const why = await whyFlaky(context, { command: COMMAND, run, baseline });
  return { why: why?.code ?? null, names: why?.why.split(': ')[1]?.split('. ')[0] ?? null, files };
}

const known = (...passed: readonly string[]): Baseline => ({
  kind: 'known',
  passed: passed.map(id),
  failed: [],
  broken_files: [],
});

it.each([
  ['passes again', { a: false, b: true }, { a: true, b: true }, known('a', 'b'), 'flaky'],
  ['fails again', { a: false, b: true }, { a: false, b: true }, known('a', 'b'), null],
  ['fails again beside one that passes', { a: false, b: false }, { a: false, b: true }, known('a', 'b'), null],
  ['is not there again', { a: false }, {}, known('a'), null],
])('a case that passed before, fails and %s', async (_what, cases, again, baseline, why) => {
  expect(await judged(cases as Cases, again as Cases, baseline)).toMatchObject({ why, files: ['test/a.test.js'] });
});

it.each([
  ['nothing failed', { a: true, b: true }, known('a', 'b')],
  ['it failed before', { a: false, b: true }, known('b')],
  ['nothing is known of before', { a: false }, { kind: 'unknown', why: 'not run' } as const],
])('nothing runs again where %s', async (_what, cases, baseline) => {
  expect(await judged(cases as Cases, { a: true, b: true }, baseline)).toEqual({ why: null, names: null, files: [] });
});

it('names the cases that failed, and no others', async () => {
  const { names } = await judged({ a: false, b: false, c: true }, { a: true, b: true, c: true }, known('a', 'c'));
  expect(names).toContain('a');
  expect(names).not.toContain('b');
});
