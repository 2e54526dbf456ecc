import { describe, expect, it } from 'vitest';
import type { TestRun } from '../../../../src/contracts/sandbox/test-run.ts';
import { mergeAttempts } from '../../../../src/kernel/proof/run/merge-attempts.ts';
import { filesRunning } from '../../../../src/kernel/runners/executed-lines.ts';
import { ranLines } from '../../../support/kernel/ran-lines.ts';

const run = (outcome: TestRun['outcome'], file: string): TestRun => ({
  outcome,
  ...(outcome === 'passed' || outcome === 'failed' ? {} : { why: `why ${outcome}` }),
  cases:
    outcome === 'passed' || outcome === 'failed' ? [{ file, name: 'a case', status: outcome, duration_ms: 1 }] : [],
  files: outcome === 'passed' || outcome === 'failed' ? [file] : [],
  requested: [file],
  exit: { kind: 'exited', code: outcome === 'passed' ? 0 : 1 },
  duration_ms: 5,
  output: `${outcome}\n`,
});
const made = (outcome: TestRun['outcome'], file: string) => ({
  made: true,
  run: run(outcome, file),
  executed: ranLines(file, { 'src.js': outcome === 'passed' ? [1] : [2] }),
});

describe('the runs of several parts', () => {
  it.each<[TestRun['outcome'], TestRun['outcome'], TestRun['outcome']]>([
    ['passed', 'passed', 'passed'],
    ['passed', 'failed', 'failed'],
    ['passed', 'crashed', 'failed'],
    ['timeout', 'passed', 'failed'],
    ['passed', 'tampered', 'tampered'],
    ['crashed', 'timeout', 'crashed'],
  ])('%s and %s are %s', (one, other, outcome) => {
    expect(mergeAttempts([made(one, 'a'), made(other, 'b')]).run.outcome).toBe(outcome);
  });

  it('have the cases of all; a part that did not run is a failure of each of its files', () => {
    const { run: merged } = mergeAttempts([made('passed', 'a'), made('crashed', 'b')]);
    expect(merged).toMatchObject({
      files: ['a', 'b'],
      requested: ['a', 'b'],
      duration_ms: 10,
      output: 'passed\ncrashed\n',
    });
    expect(merged.cases.map(({ file, name, status, failure }) => [file, name, status, failure?.kind])).toEqual([
      ['a', 'a case', 'passed', undefined],
      ['b', '(file)', 'failed', 'crash'],
    ]);
    expect(merged.cases[1]?.failure?.message).toContain('why crashed');
  });

  it('have the lines that each of them ran', () => {
    const { executed } = mergeAttempts([made('passed', 'a'), made('failed', 'b')]);
    const running = (line: number) => [...filesRunning(executed ?? new Map(), 'src.js', line)];
    expect([1, 2, 3].map(running)).toEqual([['a'], ['b'], []]);
  });

  it('have no result if one of them could not be made', () => {
    const notMade = { made: false, run: run('invalid', 'b'), executed: null };
    expect(mergeAttempts([made('passed', 'a'), notMade])).toBe(notMade);
  });
});
