import { expect, it } from 'vitest';
import { SessionManager } from '../../../src/kernel/serve/session-manager.ts';
import { SESSION_ID, testKernel } from '../../support/kernel/test-kernel.ts';

function scene() {
  const kernel = testKernel({ state: 'idle', files: { 'a.js': '1' }, staged: { 'a.js': '2' } });
  const manager = new SessionManager(kernel.services, kernel.store, (error) => {
    throw error;
  });
  return { ...kernel, manager };
}

it('an archived session is out of the way, and comes back when it is taken up again', async () => {
  const { manager, store, session } = scene();
  manager.archive(SESSION_ID);
  expect(store.get(SESSION_ID)?.status).toBe('archived');
  const { options } = session.snapshot;
  await manager.resume({ session_id: SESSION_ID, options, fork: false, after_seq: 0 });
  expect(manager.get(SESSION_ID).row.status).not.toBe('archived');
});

it('a removed session is gone, with what it had staged', async () => {
  const { manager, store, workspace } = scene();
  await manager.remove(SESSION_ID);
  expect(store.get(SESSION_ID)).toBeNull();
  expect(await workspace.changes()).toEqual([]);
  expect(() => manager.get(SESSION_ID)).toThrow(expect.objectContaining({ code: 'session_not_found' }) as Error);
});

it('a session with staged changes is kept if they are to be kept, and one without is removed', async () => {
  const { manager, store, workspace } = scene();
  expect(await manager.remove(SESSION_ID, { keepStaged: true })).toBe(false);
  expect(store.get(SESSION_ID)).not.toBeNull();
  expect(await workspace.changes()).toHaveLength(1);
  await workspace.reset();
  expect(await manager.remove(SESSION_ID, { keepStaged: true })).toBe(true);
  expect(store.get(SESSION_ID)).toBeNull();
});

it('a session that somebody follows is not removed', async () => {
  const { manager, store } = scene();
  const stop = manager.follow(SESSION_ID, 0, () => undefined);
  await expect(manager.remove(SESSION_ID)).rejects.toMatchObject({ code: 'session_busy' });
  stop();
  await manager.remove(SESSION_ID);
  expect(store.get(SESSION_ID)).toBeNull();
});
