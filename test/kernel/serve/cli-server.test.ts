import { expect, it } from 'vitest';
import type { RpcPeer } from '../../../src/ipc/index.ts';
import { SESSION_EVENT, serveCli } from '../../../src/kernel/serve/cli-server.ts';
import type { PolicyUpdates } from '../../../src/kernel/serve/policy-updates.ts';
import type { SessionManager } from '../../../src/kernel/serve/session-manager.ts';

type Show = (event: number) => void;

/** A terminal at a session that has three events; `next` adds one. */
function scene() {
  const handlers = new Map<string, (params: unknown) => unknown>();
  const shown: number[] = [];
  const followers = new Set<Show>();
  const peer = {
    open: true,
    closed: new Promise(() => undefined),
    notify: (name: string, { event }: { event: number }) => {
      if (name === SESSION_EVENT) shown.push(event);
    },
    onRequest: (method: string, _: unknown, handler: (params: unknown) => unknown) => handlers.set(method, handler),
  };
  const sessions = {
    resume: ({ session_id }: { session_id: string }) => Promise.resolve(session_id),
    follow: (_: string, afterSeq: number, show: Show) => {
      for (const event of [1, 2, 3]) if (event > afterSeq) show(event);
      followers.add(show);
      return () => followers.delete(show);
    },
    get: () => null,
    announce: () => undefined,
    continueIfCut: () => undefined,
  };
  serveCli(peer as unknown as RpcPeer, sessions as unknown as SessionManager, {} as PolicyUpdates);
  return {
    resume: (afterSeq: number) =>
      handlers.get('session.resume')?.({ session_id: 's_1', fork: false, after_seq: afterSeq, options: {} }),
    next: () => {
      for (const show of followers) show(4);
    },
    shown: () => shown.splice(0),
  };
}

it('a session that is left and taken up again in the same terminal shows its past once more, and each new event once', async () => {
  const { resume, next, shown } = scene();
  await resume(0);
  expect(shown()).toEqual([1, 2, 3]);
  await resume(0);
  expect(shown()).toEqual([1, 2, 3]);
  await resume(2);
  expect(shown()).toEqual([3]);
  next();
  expect(shown()).toEqual([4]);
});
