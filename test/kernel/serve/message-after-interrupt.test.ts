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

it('a message that the model has not read is given back when its run is interrupted, and is not kept', async () => {
  const kernel = testKernel({ state: 'idle' });
  const manager = new SessionManager(kernel.services, kernel.store, (error) => {
    throw error;
  });
  let given: string[] = [];
  kernel.sandboxes.turns.push(() => {
    void manager.message({ session_id: SESSION_ID, text: 'hey', message_id: 'm2' }).then(() => {
      given = manager.takeUnread(SESSION_ID);
      manager.interrupt(SESSION_ID, 'interrupt');
    });
    return modelAnswer('', [{ tool: 'fs.list', input: { path: '.' } }]);
  });
  await manager.message({ session_id: SESSION_ID, text: 'one' });
  while (manager.activeRuns > 0) await settle();
  expect(given).toEqual(['hey']);
  const events = kernel.store.events(SESSION_ID, 0);
  expect(events.filter(({ type }) => type === 'message.user')).toHaveLength(1);
  expect(events.some((event) => event.type === 'notice' && event.code === 'message_not_read')).toBe(false);
  kernel.sandboxes.turns.push(modelAnswer('answered'));
  await manager.message({ session_id: SESSION_ID, text: 'hey', message_id: 'm2' });
  while (manager.activeRuns > 0) await settle();
  expect(JSON.stringify(kernel.sandboxes.requests.at(-1))).toContain('hey');
});
