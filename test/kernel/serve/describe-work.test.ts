import { expect, it } from 'vitest';
import { describePlan, describeProof, describeTests } from '../../../src/kernel/serve/describe-work.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

it('says what there is not yet', () => {
  const { session } = testKernel({});
  expect([describePlan(session), describeTests(session), describeProof(session)]).toEqual([
    'There is no plan yet.',
    'No tests have run in this task yet.',
    'Nothing has been proved yet: it begins when the whole suite has passed.',
  ]);
});

it('shows plan and steps, tests by phase, and the proof with what no test noticed', () => {
  const { session } = testKernel({});
  session.update({
    last_tests: 'a.test.js: 1 failed, 3 passed',
    plan: { summary: 'Shout', steps: ['A test', 'The source'] },
    todo: [
      { text: 'A test', state: 'done' },
      { text: 'The source', state: 'doing' },
    ],
    baseline: { kind: 'known', passed: ['a.test.js\0one'], failed: ['a.test.js\0two'], broken_files: ['b.test.js'] },
    green: {
      run_id: 'r',
      at_ms: 0,
      staging_digest: 'd',
      passed: 3,
      skipped: 1,
      failed: [{ file: 'a.test.js', name: 'two' }],
    },
    proof: {
      staging_digest: 'd',
      observations: [
        { observation: 'removal', outcome: 'held', detail: 'they fail again', duration_ms: 1 },
        { observation: 'mutation', outcome: 'held', detail: '1 of 3 noticed; > became >= in a.js', duration_ms: 1 },
      ],
      findings: [],
      mutants: {
        tried: 2,
        noticed: 1,
        survivors: [{ path: 'a.js', line: 2, mutator: 'x', words: '> became >= in a.js' }],
      },
      lines: { changed: 4, executed: 3 },
    },
  });
  expect(describePlan(session)).toBe('Shout\n✓ A test\n● The source');
  expect(describeTests(session)).toBe(
    'before: 1 passed, 1 failed\n  a.test.js › two\n  b.test.js\nlast other test run: a.test.js: 1 failed, 3 passed\ngreen: 3 passed, 1 failed, 1 skipped\n  a.test.js › two',
  );
  expect(describeProof(session)).toBe(
    [
      '✓ New tests without the new source  they fail again',
      '✓ Mutation                          1 of 3 noticed; > became >= in a.js',
      'changed lines that new tests execute: 3 of 4',
    ].join('\n'),
  );
});

it('a plan whose change is committed is done: no step of it is open any more, until the commit is undone', () => {
  const { session } = testKernel({});
  session.update({
    plan: { summary: 'Shout', steps: ['A test', 'The source'] },
    plan_commit: '0123456789abcdef',
    todo: [
      { text: 'A test', state: 'done' },
      { text: 'The source', state: 'doing' },
    ],
  });
  expect(describePlan(session)).toBe('Shout\n✓ A test\n● The source');
  session.updateRow({ commits: ['0123456789abcdef'] });
  expect(describePlan(session)).toBe(
    'Shout\nDone with commit 0123456789.\n✓ A test\n– The source\n–: the model committed without marking this step as done',
  );
  session.update({ todo: [] });
  expect(describePlan(session)).toBe('Shout\nDone with commit 0123456789.\n✓ A test\n✓ The source');
});
