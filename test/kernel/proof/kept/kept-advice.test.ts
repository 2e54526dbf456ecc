import { expect, it } from 'vitest';
import type { PlannedKind } from '../../../../src/contracts/review/change-kinds.ts';
import type { TestCase, TestRun } from '../../../../src/contracts/sandbox/test-run.ts';
import { keptAdvice } from '../../../../src/kernel/proof/kept/kept-advice.ts';
import type { KeptGate } from '../../../../src/kernel/proof/kept/kept-advice.ts';

const MISSING: TestCase['failure'] = { kind: 'load', message: 'no', missing: { specifier: '../src/a.js' } };

function run(failure: TestCase['failure']): TestRun {
  const failed: TestCase = { file: 'a', name: 'a', status: 'failed', duration_ms: 1, ...(failure && { failure }) };
  const exit = { kind: 'exited', code: 1 } as const;
  return { outcome: 'failed', cases: [failed], files: [], requested: [], exit, duration_ms: 1, output: '' };
}

it.each<[PlannedKind, KeptGate, RegExp]>([
  ['refactor', 'review', /call workflow\.revise_tests and plan\.complete with kind feature/],
  ['refactor', 'opening', /call plan\.complete again with kind feature/],
  ['tests', 'review', /call plan\.complete again with kind feature/],
])('leads on where a test does not find a module: %s, %s', (kind, gate, words) => {
  expect(keptAdvice(kind, gate, run(MISSING))).toMatch(words);
});

it.each([MISSING, { kind: 'assertion', message: 'no' } as const])(
  'says of a deletion that its tests go first, however they fail',
  (failure) => {
    expect(keptAdvice('deletion', 'review', run(failure))).toMatch(/workflow\.revise_tests, take the cases out of a /);
  },
);

it('says nothing of other failures', () => {
  expect(keptAdvice('refactor', 'review', run({ kind: 'assertion', message: 'no' }))).toBe('');
  expect(keptAdvice('refactor', 'review', run({ kind: 'load', message: 'syntax' }))).toBe('');
  expect(keptAdvice('deletion', 'opening', run(MISSING))).toBe('');
});
