import { describe, expect, it } from 'vitest';
import type { Baseline } from '../../../../src/contracts/session/session-facts.ts';
import type { TestCase, TestRun } from '../../../../src/contracts/sandbox/test-run.ts';
import { observeOldTests } from '../../../../src/kernel/proof/old-tests/observe-old-tests.ts';
import { caseId } from '../../../../src/kernel/proof/test-case-id.ts';
import { nodeTestReport } from '../../../support/kernel/node-test-report.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

type Files = Readonly<Record<string, string>>;

const TEST = 'test/f.test.js';
const FILES = { 'src/f.js': 'old', [TEST]: 'expects old', 'test/fixtures/a.json': '1' };
const BASELINE: Baseline = {
  kind: 'known',
  passed: [caseId({ file: TEST, name: 'f' })],
  failed: [],
  broken_files: [],
};

const suiteWith = (status: TestCase['status']): TestRun => ({
  outcome: 'passed',
  cases: [{ file: TEST, name: 'f', status, duration_ms: 1 }],
  files: [TEST],
  requested: [TEST],
  exit: { kind: 'exited', code: 1 },
  duration_ms: 1,
  output: '',
});

async function observed(
  staged: Files,
  passes: (files: Files) => boolean,
  { baseline = BASELINE, suite = suiteWith('passed') }: { readonly baseline?: Baseline; readonly suite?: TestRun } = {},
) {
  const command = { runner: 'node-test', cwd: '', args: [] };
  const kernel = testKernel({ files: FILES, staged, testCommand: command });
  kernel.sandboxes.runTests = (run) =>
    nodeTestReport(run, {
      f: passes(Object.fromEntries([...run.files].map(([path, { text }]) => [path, text]))),
    });
  const result = await observeOldTests(kernel.context, { command, baseline, suite });
  expect(kernel.openScratches()).toBe(0);
  return { ...result, runs: kernel.sandboxes.testRuns.length };
}

describe('old tests on the new source', () => {
  it.each<[string, Files]>([
    ['is only the source', { 'src/f.js': 'new' }],
    ['adds a test file', { 'src/f.js': 'new', 'test/g.test.js': 'new' }],
  ])('are the suite at green where the change %s', async (_, staged) => {
    expect(await observed(staged, () => false)).toMatchObject({ outcome: 'held', runs: 0 });
  });

  it('run without a new test file where all of them share a process: it could hold up what they test', async () => {
    const command = { runner: 'mocha', cwd: '', args: [] };
    const kernel = testKernel({
      files: { 'src/f.js': 'old', 'test/f.js': 'expects old' },
      staged: { 'src/f.js': 'broken', 'test/g.js': 'repairs f' },
      testCommand: command,
    });
    const seen: string[][] = [];
    kernel.sandboxes.runTests = (run) => {
      seen.push([...run.files.keys()].sort());
      return nodeTestReport(run, { f: false });
    };
    await observeOldTests(kernel.context, { command, baseline: BASELINE, suite: suiteWith('passed') });
    expect(seen).toEqual([['src/f.js', 'test/f.js']]);
  });

  it.each<TestCase['status']>(['skipped', 'todo'])(
    'differ where the suite at green has one that is %s',
    async (status) => {
      const suite = suiteWith(status);
      expect(await observed({ 'src/f.js': 'new' }, () => true, { suite })).toMatchObject({
        outcome: 'failed',
        runs: 0,
      });
    },
  );

  it('differ if the suite at green has lost a case', async () => {
    const suite = { ...suiteWith('passed'), cases: [] };
    expect(await observed({ 'src/f.js': 'new' }, () => true, { suite })).toMatchObject({ outcome: 'failed', runs: 0 });
  });

  it.each<[string, Files]>([
    ['a test', { 'src/f.js': 'new', [TEST]: 'expects new' }],
    ['a fixture', { 'src/f.js': 'new', 'test/fixtures/a.json': '2' }],
    ['what the runner loads first', { 'src/f.js': 'new', 'package.json': '{}' }],
  ])('run with every file of theirs as in HEAD where the change has %s', async (_, staged) => {
    const seen: Files[] = [];
    const result = await observed(staged, (files) => seen.push(files) > 0);
    expect(result).toMatchObject({ outcome: 'held', runs: 1 });
    expect(seen).toEqual([{ ...FILES, 'src/f.js': 'new' }]);
  });

  it('that do not pass any more are named', async () => {
    const result = await observed({ 'src/f.js': 'new', [TEST]: 'expects new' }, (files) => files['src/f.js'] === 'old');
    expect(result.outcome).toBe('failed');
    expect(result.detail).toContain(`${TEST} › f`);
  });

  it('say nothing where the suite was not known before', async () => {
    const unknown = { kind: 'unknown', why: 'it did not load' } as const;
    expect(await observed({ [TEST]: 'x' }, () => true, { baseline: unknown })).toMatchObject({
      outcome: 'impossible',
      runs: 0,
    });
  });

  it('hold if there were no old tests', async () => {
    expect(await observed({ [TEST]: 'x' }, () => false, { baseline: { ...BASELINE, passed: [] } })).toMatchObject({
      outcome: 'held',
    });
  });
});
