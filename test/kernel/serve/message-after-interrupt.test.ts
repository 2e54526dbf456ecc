import { expect, it } from 'vitest';
import { SessionManager } from '../../../src/kernel/serve/session-manager.ts';
import { modelAnswer } from '../../support/kernel/fake-sandboxes.ts';
import { SESSION_ID, testKernel } from '../../support/kernel/test-kernel.ts';
import { settle } from '../../support/standing-clock.ts';

it('a message that comes while a run is being interrupted waits for its end, and begins a run of its own', async () => {
  const kernel = testKernel({ state: 'idle' });
  const manager = new SessionManager(kernel.services, kernel.store, (error) => {
    throw error;
  });
  let sent: Promise<void> = Promise.resolve();
  kernel.sandboxes.turns.push(() => {
    manager.interrupt(SESSION_ID, 'interrupt');
    sent = manager.message({ session_id: SESSION_ID, text: 'two' });
    return modelAnswer('', [{ tool: 'fs.list', input: { path: '.' } }]);
  }, modelAnswer('answered'));
  await manager.message({ session_id: SESSION_ID, text: 'one' });
  while (manager.activeRuns > 0) await settle();
  await sent;
  while (manager.activeRuns > 0) await settle();
  const ends = kernel.store.events(SESSION_ID, 0).filter((event) => event.type === 'session.finished');
  expect(ends.map(({ status }) => status)).toEqual(['cancelled', 'done']);
  expect(kernel.sandboxes.requests).toHaveLength(2);
});
