import { expect, it } from 'vitest';
import { callTool } from '../../support/kernel/calls.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

const PROOF = { staging_digest: 'd', observations: [], findings: [] };

it('tests that are revised make the failing run, and what was green on it, count for nothing', async () => {
  const red = { run_id: 't_1', cases: ['a'], files: [], frozen: {}, sensitive: {}, staging_digest: 'd', at_ms: 1 };
  const green = { run_id: 't_2', at_ms: 2, staging_digest: 'd', passed: 1, skipped: 0, failed: [] };
  const kernel = testKernel({ state: 'code_writing', snapshot: { red, green, proof: PROOF, findings: ['old'] } });
  const { session } = kernel;
  await callTool(kernel, 'workflow.revise_tests', { reason: 'the test was wrong' });
  expect(session.state).toBe('test_writing');
  expect(session.snapshot).toMatchObject({ red: null, green: null, proof: null, findings: [] });
  expect(session.snapshot.revisions.map(({ reason }) => reason)).toEqual(['the test was wrong']);
});

it('tests of a suite that passes are revised only where one leaves something behind, and what is taken out of them is shown', async () => {
  const detail = 'test/a.test.js:1 › a fails when it runs twice in one process: a is registered';
  const variants = { observation: 'variants', outcome: 'failed', detail, duration_ms: 1, differs_again: true } as const;
  const told = testKernel({ state: 'reviewing', snapshot: { proof: { ...PROOF, observations: [variants] } } });
  await callTool(told, 'workflow.revise_tests', { reason: 'clean up' });
  expect(told.session.state).toBe('test_writing');
  expect(told.session.snapshot).toMatchObject({ proof: null, revisions: [{ reason: 'clean up', at_green: true }] });

  for (const proof of [null, PROOF, { ...PROOF, observations: [{ ...variants, differs_again: false }] }]) {
    const kernel = testKernel({ state: 'reviewing', snapshot: { proof } });
    const { content } = await callTool(kernel, 'workflow.revise_tests', { reason: 'clean up' });
    expect([kernel.session.state, content]).toEqual(['reviewing', expect.stringContaining('call git.commit')]);
  }
});

it('a plan that is made again has no proof of what was done before', async () => {
  const kernel = testKernel({
    state: 'planning',
    snapshot: { proof: PROOF },
    testCommand: { runner: 'node-test', cwd: '', args: [] },
  });
  await callTool(kernel, 'plan.complete', { summary: 'Test more', steps: [], kind: 'tests' });
  expect(kernel.session.snapshot).toMatchObject({ kind: 'tests', proof: null });
});
