import { expect, it } from 'vitest';
import type { SessionId } from '../../../src/contracts/ids.ts';
import { SessionManager } from '../../../src/kernel/serve/session-manager.ts';
import { MemoryWorkspace } from '../../support/kernel/memory-workspace.ts';
import { SESSION_ID, testKernel } from '../../support/kernel/test-kernel.ts';

it('a fork has the history and the staged files of its session, and says what it could not take along', async () => {
  const files = { 'a.js': '1', 'gone.js': 'old' };
  const from = new MemoryWorkspace(files, { staged: { 'a.js': '2', 'new.sh': { text: '#!', executable: true } } });
  await from
    .overlay((slot) => Promise.resolve(from.slots.at(slot).delete('gone.js')))
    .then(async (outcome) => {
      if (outcome.kind === 'completed') await outcome.accept(new Set(['gone.js']));
    });
  const to = new MemoryWorkspace(files);
  const kernel = testKernel({
    state: 'code_writing',
    services: {
      workspaces: {
        open: (id: SessionId) => Promise.resolve(id === SESSION_ID ? from : to),
        remove: () => Promise.reject(new Error('nothing is removed here')),
        scratch: () => Promise.reject(new Error('nothing runs here')),
      },
    },
  });
  kernel.session.push({ role: 'user', text: 'change a' });
  kernel.session.keepOutput('o_1', 'a long output');
  kernel.session.update({ pins: ['Never use classes.'] });
  kernel.session.save();
  const manager = new SessionManager(kernel.services, kernel.store, (error) => {
    throw error;
  });
  const { options } = kernel.session.snapshot;
  const id = await manager.resume({ session_id: SESSION_ID, fork: true, after_seq: 0, options });
  expect(id).not.toBe(SESSION_ID);
  expect(to.text('a.js')).toBe('2');
  expect((await to.changes()).map(({ path, after }) => [path, after.kind === 'file' && after.executable])).toEqual([
    ['a.js', false],
    ['new.sh', true],
  ]);
  const said = manager.get(id).messages.map((message) => (message.role === 'user' ? message.text : ''));
  expect(said[0]).toBe('change a');
  expect(said[1]).toContain('Not taken along, so as the project has it: gone.js.');
  expect(manager.get(id).state).toBe('idle');
  expect(manager.get(id).archive.output('o_1')).toBe('a long output');
  expect(manager.get(id).snapshot.pins).toEqual(['Never use classes.']);
  expect(manager.get(id).snapshot.inherited_messages).toBe(1);
  expect(manager.get(id).snapshot.forked_from).toEqual({ session: SESSION_ID, after: 1, text: 'change a' });
  expect((await from.changes()).map(({ path }) => path)).toEqual(['a.js', 'gone.js', 'new.sh']);
});

it('a fork before an earlier message has the history up to it, and nothing that is staged', async () => {
  const from = new MemoryWorkspace({ 'a.js': '1' }, { staged: { 'a.js': '2' } });
  const to = new MemoryWorkspace({ 'a.js': '1' });
  const kernel = testKernel({
    services: {
      workspaces: {
        open: (id: SessionId) => Promise.resolve(id === SESSION_ID ? from : to),
        remove: () => Promise.reject(new Error('nothing is removed here')),
        scratch: () => Promise.reject(new Error('nothing runs here')),
      },
    },
  });
  const { session, store, services } = kernel;
  for (const text of ['one', 'two', 'three']) {
    session.push({ role: 'user', text });
    session.push({ role: 'user', text: `a note about ${text}`, author: 'kernel' });
    session.push({ role: 'assistant', text: `did ${text}`, calls: [] });
  }
  session.save();
  const manager = new SessionManager(services, store, (error) => {
    throw error;
  });
  const forked = async (without_last: number) => {
    const { options } = session.snapshot;
    const id = await manager.resume({ session_id: SESSION_ID, fork: true, without_last, after_seq: 0, options });
    return manager.get(id).messages.flatMap((message) => (message.role === 'tool' ? [] : [message.text]));
  };
  const last = await forked(1);
  expect(last.slice(0, -1)).toEqual(['one', 'a note about one', 'did one', 'two', 'a note about two', 'did two']);
  expect(last.at(-1)).toContain('Nothing is staged');
  expect((await forked(3)).slice(0, -1)).toEqual([]);
  expect(await to.changes()).toEqual([]);
});
