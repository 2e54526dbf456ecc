import { describe, expect, it } from 'vitest';
import type { Red } from '../../../../src/contracts/session/session-facts.ts';
import type { TestCase, TestRun } from '../../../../src/contracts/sandbox/test-run.ts';
import { judgeRemoval } from '../../../../src/kernel/proof/observations/removal.ts';
import { caseId } from '../../../../src/kernel/proof/test-case-id.ts';

const FILE = 'test/f.test.js';

function red(cases: readonly string[], files: readonly string[] = []): Red {
  return {
    run_id: 't_1',
    cases: cases.map((name) => caseId({ file: FILE, name })),
    files: [...files],
    frozen: {},
    sensitive: {},
    staging_digest: 'd',
    at_ms: 1,
  };
}

/** A case is given as `name: passed | failed | skipped | load`. */
function run(cases: Readonly<Record<string, string>>, outcome: TestRun['outcome'] = 'failed'): TestRun {
  return {
    outcome,
    cases: Object.entries(cases).map(([name, status]): TestCase => ({
      file: FILE,
      name,
      status: status === 'load' ? 'failed' : (status as TestCase['status']),
      duration_ms: 1,
      ...(status === 'load' ? { failure: { kind: 'load', message: 'no' } } : {}),
    })),
    files: [FILE],
    requested: [FILE],
    exit: { kind: 'exited', code: 1 },
    duration_ms: 1,
    output: '',
  };
}

describe('what was red', () => {
  it.each([
    [
      'fails again without the source, and passes again with it',
      red(['a']),
      { a: 'failed' },
      { a: 'passed' },
      'held',
      0,
    ],
    ['does not load again without the source', red(['a']), { '(load)': 'load' }, { a: 'passed' }, 'held', 0],
    ['did not load, and does not again', red([], [FILE]), { '(load)': 'load' }, { a: 'passed' }, 'held', 0],
    ['did not load, and now each case fails', red([], [FILE]), { a: 'failed' }, { a: 'passed' }, 'held', 0],
    [
      'passes without the source this time',
      red(['a', 'b']),
      { a: 'passed', b: 'failed' },
      { a: 'passed', b: 'passed' },
      'failed',
      1,
    ],
    ['fails with the source this time', red(['a']), { a: 'failed' }, { a: 'failed' }, 'failed', 1],
    ['is skipped this time', red(['a']), { a: 'skipped' }, { a: 'passed' }, 'failed', 1],
    ['is gone this time', red(['a']), { a: 'failed' }, { b: 'passed' }, 'failed', 1],
    [
      'did not load, and now a case passes without the source',
      red([], [FILE]),
      { a: 'passed' },
      { a: 'passed' },
      'failed',
      1,
    ],
    [
      'did not load, and is known by its new case beside an old one that fails as before',
      red(['a'], [FILE]),
      { '(load)': 'load' },
      { a: 'passed', old: 'failed' },
      'held',
      0,
    ],
    ['did not load, and is skipped with the source', red([], [FILE]), { a: 'failed' }, { a: 'skipped' }, 'failed', 1],
    ['did not load, and yields nothing', red([], [FILE]), {}, { a: 'passed' }, 'failed', 1],
    [
      'did not load, and fails with the source this time',
      red([], [FILE]),
      { a: 'failed' },
      { a: 'failed' },
      'failed',
      1,
    ],
  ] as const)('%s', (_, was, without, again, outcome, flaky) => {
    const judged = judgeRemoval(was, run(without), run(again));
    expect({ outcome: judged.outcome, flaky: judged.flaky.length }).toEqual({ outcome, flaky });
  });

  it('is named where it differs', () => {
    expect(judgeRemoval(red(['a']), run({ a: 'passed' }), run({ a: 'passed' })).detail).toContain(`${FILE} › a`);
  });

  it.each([
    ['without', run({}, 'timeout'), run({ a: 'passed' })],
    ['with', run({ a: 'failed' }), run({}, 'crashed')],
  ])('is not known where a run %s the source says nothing', (_, without, again) => {
    expect(judgeRemoval(red(['a']), without, again)).toMatchObject({ outcome: 'impossible', flaky: [] });
  });
});
