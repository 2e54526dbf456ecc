import { expect, it } from 'vitest';
import type { TestCase, TestRun } from '../../../../src/contracts/sandbox/test-run.ts';
import { movedModuleAdvice } from '../../../../src/kernel/proof/kept/moved-module.ts';

function run(failure: TestCase['failure']): TestRun {
  const failed: TestCase = { file: 'a', name: 'a', status: 'failed', duration_ms: 1, ...(failure && { failure }) };
  const exit = { kind: 'exited', code: 1 } as const;
  return { outcome: 'failed', cases: [failed], files: [], requested: [], exit, duration_ms: 1, output: '' };
}

it('leads on where a test does not find a module', () => {
  expect(movedModuleAdvice(run({ kind: 'load', message: 'no', missing: { specifier: '../src/a.js' } }))).toMatch(
    /leave a file at its old path.*plan\.complete again with kind feature/,
  );
});

it('says nothing of other failures', () => {
  expect(movedModuleAdvice(run({ kind: 'assertion', message: 'no' }))).toBe('');
  expect(movedModuleAdvice(run({ kind: 'load', message: 'syntax' }))).toBe('');
});
