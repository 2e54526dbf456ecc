import { describe, expect, it } from 'vitest';
import type { TestCase, TestRun } from '../../../../src/contracts/sandbox/test-run.ts';
import { describeRun } from '../../../../src/kernel/proof/run/describe-run.ts';

const failed = (name: string, message: string): TestCase => ({
  file: 'a.test.js',
  name,
  status: 'failed',
  duration_ms: 1,
  failure: { kind: 'assertion', message },
});

function run(cases: readonly TestCase[], output = ''): TestRun {
  return {
    outcome: cases.some(({ status }) => status === 'failed') ? 'failed' : 'passed',
    cases: [...cases],
    files: ['a.test.js'],
    requested: [],
    exit: { kind: 'exited', code: 1 },
    duration_ms: 1,
    output,
  };
}

describe('a test run in words', () => {
  it('has the difference between expected and actual whole', () => {
    const difference = `expected\n${'- old line\n'.repeat(300)}${'+ new line\n'.repeat(300)}end of the difference`;
    expect(describeRun(run([failed('differs', difference)]))).toContain(difference.replaceAll('\n', '\n  '));
  });

  it('keeps the end of messages for which there is no room, and of each something', () => {
    const long = `${'x'.repeat(7_000)} the end of`;
    const words = describeRun(run([1, 2, 3, 4].map((index) => failed(`case ${index}`, `${long} ${index}`))));
    for (const index of [1, 2, 3, 4]) expect(words).toContain(`the end of ${index}`);
    expect(words).toContain('characters before this …');
    expect(words.length).toBeLessThan(14_000);
  });

  it('has the end of what tests printed, without what a message has already', () => {
    const words = describeRun(
      run([failed('wrong', 'got 3\nseen: 3')], `first\n${'noise\n'.repeat(1_000)}seen: 3\nlast`),
    );
    expect(words.match(/seen: 3/g)).toHaveLength(1);
    expect(words).toMatch(/Printed by the run:\n {2}… \d+ characters before this …\n[^]*last$/);
    expect(words).not.toContain('first');
  });

  it('has what a passing test printed, shortened more, and nothing where nothing was printed', () => {
    const passed = { file: 'a.test.js', name: 'right', status: 'passed' as const, duration_ms: 1 };
    expect(describeRun(run([passed], 'value is 7\n'))).toBe(
      '0 failed, 1 passed in 1 file\nPrinted by the run:\n  value is 7',
    );
    expect(describeRun(run([passed], `${'noise\n'.repeat(1_000)}last`)).length).toBeLessThan(1_600);
    expect(describeRun(run([passed], ' \n'))).toBe('0 failed, 1 passed in 1 file');
  });
});
