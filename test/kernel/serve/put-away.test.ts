import { expect, it } from 'vitest';
import { SessionManager } from '../../../src/kernel/serve/session-manager.ts';
import { modelAnswer } from '../../support/kernel/fake-sandboxes.ts';
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
  expect(manager.get(SESSION_ID).row.status).toBe(session.row.status);
});

it.each([
  ['by an undo', (manager: SessionManager) => manager.archive(SESSION_ID, { undo: true })],
  [
    'by an undo of an archive that was asked for twice',
    (manager: SessionManager) => {
      manager.archive(SESSION_ID);
      manager.archive(SESSION_ID, { undo: true });
    },
  ],
])('an archived session comes back %s as it was, and is no newer for that', async (_, comeBack) => {
  const { manager, store, session, advance } = scene();
  session.updateRow({ status: 'committed' });
  session.save();
  const before = store.get(SESSION_ID);
  await advance(60_000);
  manager.archive(SESSION_ID);
  expect(store.get(SESSION_ID)).toEqual({ ...before, status: 'archived' });
  comeBack(manager);
  expect(store.get(SESSION_ID)).toEqual(before);
});

it('a session that is archived while somebody follows it goes on for them', async () => {
  const { manager, store, session, sandboxes } = scene();
  sandboxes.turns.push(modelAnswer('One.'), modelAnswer('Two.'));
  const seen: string[] = [];
  manager.follow(SESSION_ID, 0, ({ type }) => seen.push(type));
  manager.archive(SESSION_ID);
  expect(store.get(SESSION_ID)?.status).toBe('archived');
  await manager.message({ session_id: SESSION_ID, message_id: 'm1', text: 'Go on' });
  await manager.close();
  expect(seen).toContain('message.user');
  expect(store.get(SESSION_ID)?.status).not.toBe('archived');
  expect(manager.get(SESSION_ID).id).toBe(session.id);
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
