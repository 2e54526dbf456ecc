import { expect, it } from 'vitest';
import type { SessionMode } from '../../../src/contracts/session/workflow-states.ts';
import { SessionManager } from '../../../src/kernel/serve/session-manager.ts';
import { callTool } from '../../support/kernel/calls.ts';
import { SESSION_ID, testKernel } from '../../support/kernel/test-kernel.ts';

const plan = (mode: SessionMode) => {
  const kernel = testKernel({ state: 'planning', mode, testCommand: null });
  return { kernel, called: callTool(kernel, 'plan.complete', { summary: 'Add a cache', steps: [] }) };
};

it('a project whose tests nobody can run is not changed in strict mode', async () => {
  const { kernel, called } = plan('strict');
  expect(await called).toMatchObject({
    ok: false,
    content: expect.stringContaining('no way to run the tests') as string,
  });
  expect(kernel.session.state).toBe('planning');
});

it('and can be changed in explore mode', async () => {
  const { kernel, called } = plan('explore');
  expect(await called).toMatchObject({ ok: true });
  expect(kernel.session.state).toBe('exploring');
});

it.each([
  { mode: 'strict', told: ['no_test_command'] },
  { mode: 'explore', told: [] },
] as const)('says so at its start in $mode mode alone', ({ mode, told }) => {
  const kernel = testKernel({ state: 'idle', mode, testCommand: null });
  kernel.session.save();
  const manager = new SessionManager(kernel.services, kernel.store, (error) => {
    throw error;
  });
  manager.announce(manager.get(SESSION_ID));
  const events = kernel.store.events(SESSION_ID, 0);
  expect(events.flatMap((event) => (event.type === 'notice' ? [event.code] : []))).toEqual(told);
});
