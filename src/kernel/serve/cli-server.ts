import { requests } from '../../contracts/session/session-protocol.ts';
import type { RequestMethod, RequestParams, RequestResult } from '../../contracts/session/session-protocol.ts';
import type { SessionId } from '../../contracts/ids.ts';
import type { RpcPeer } from '../../ipc/index.ts';
import { pin, unpin } from '../session/pins.ts';
import { rename } from '../session/title.ts';
import type { PolicyUpdates } from './policy-updates.ts';
import type { SessionManager } from './session-manager.ts';

/** The event under which a session's events reach an attached connection. */
export const SESSION_EVENT = 'session.event';

/**
 * Registers the requests that a CLI or TUI may send on its connection. Events of a session follow after it is started
 * or resumed there.
 */
export function serveCli(peer: RpcPeer, sessions: SessionManager, policies: PolicyUpdates): void {
  const following = new Map<string, () => void>();
  const follow = (id: SessionId, afterSeq: number) => {
    // A session that is resumed again in the same terminal shows its past events again.
    following.get(id)?.();
    following.set(
      id,
      sessions.follow(id, afterSeq, (event) => {
        if (peer.open) peer.notify(SESSION_EVENT, { event });
      }),
    );
  };
  void peer.closed.then(() => {
    for (const stop of following.values()) stop();
    policies.withdraw(peer);
  });

  answer(peer, 'kernel.ping', () => ({ pid: process.pid, sessions: sessions.activeRuns }));
  answer(peer, 'session.start', async ({ options }) => {
    const id = await sessions.start(options);
    follow(id, 0);
    sessions.announce(sessions.get(id));
    return { session_id: id };
  });
  answer(peer, 'session.resume', async (params) => {
    const id = await sessions.resume(params);
    follow(id, params.after_seq);
    if (params.after_seq === 0 || params.fork) sessions.announce(sessions.get(id));
    sessions.continueIfCut(id);
    return { session_id: id };
  });
  serveRuns(peer, sessions, policies);
  answer(peer, 'session.reset', async ({ session_id }) => {
    await sessions.reset(session_id);
    return {};
  });
  answer(peer, 'session.archive', ({ session_id, undo }) => {
    sessions.archive(session_id, { undo: undo === true });
    return {};
  });
  answer(peer, 'session.remove', async ({ session_id, keep_staged }) =>
    (await sessions.remove(session_id, { keepStaged: keep_staged === true })) ? {} : { kept: true as const },
  );
  answer(peer, 'session.warm', ({ session_id }) => {
    sessions.warm(session_id);
    return {};
  });
  answer(peer, 'session.undo', ({ session_id }) => sessions.undo(session_id));
  answer(peer, 'session.redo', ({ session_id }) => sessions.redo(session_id));
  answer(peer, 'session.set_mode', ({ session_id, mode }) => sessions.setMode(session_id, mode));
  answer(peer, 'session.set_model', ({ session_id, choice }) => sessions.setModel(session_id, choice));
  answer(peer, 'session.compact', ({ session_id, keep }) => {
    const session = sessions.get(session_id);
    session.update({ compact: { keep } });
    session.save();
    return {};
  });
  answer(peer, 'session.rename', ({ session_id, title }) => ({ title: rename(sessions.get(session_id), title) }));
  answer(peer, 'session.pin', ({ session_id, text }) => ({ pins: [...pin(sessions.get(session_id), text)] }));
  answer(peer, 'session.unpin', ({ session_id, pin: wanted }) => {
    const session = sessions.get(session_id);
    return { removed: unpin(session, wanted), pins: [...session.snapshot.pins] };
  });
  answer(peer, 'session.describe', async ({ session_id, what }) => ({
    text: await sessions.describe(session_id, what),
  }));
  answer(peer, 'session.call', (params) => sessions.call(params));
  answer(peer, 'review.get', async ({ session_id }) => ({ review: await sessions.reviews.shown(session_id) }));
  answer(peer, 'review.diff', (params) => ({ text: sessions.reviews.diff(params) }));
  answer(peer, 'review.file', (params) => sessions.reviews.file(params));
  answer(peer, 'review.decide', (params) => sessions.reviews.decide(params));
  answer(peer, 'policy.update', (params) => policies.propose(params, peer));
  answer(peer, 'policy.decide', (params) => policies.decide(params, peer));
  answer(peer, 'policy.reload', ({ review_id }) => policies.reload(review_id));
}

/**
 * Requests that begin and end work in a session. A policy that was signed, distrusted or edited in the meantime takes
 * effect here; an unusable policy stops the work.
 */
function serveRuns(peer: RpcPeer, sessions: SessionManager, policies: PolicyUpdates): void {
  answer(peer, 'session.message', async (params) => {
    await policies.reload(null);
    await sessions.message(params);
    return {};
  });
  answer(peer, 'session.interrupt', ({ session_id, signal, give_back }) => {
    const unread = give_back === true ? sessions.takeUnread(session_id) : [];
    sessions.interrupt(session_id, signal);
    return unread.length === 0 ? {} : { unread };
  });
  answer(peer, 'session.run', async ({ session_id, script }) => {
    await policies.reload(null);
    await sessions.runForUser(session_id, script);
    return {};
  });
  answer(peer, 'session.note', async ({ session_id, text }) => {
    await policies.reload(null);
    return sessions.note(session_id, text);
  });
}

function answer<M extends RequestMethod>(
  peer: RpcPeer,
  method: M,
  handle: (params: RequestParams<M>) => RequestResult<M> | Promise<RequestResult<M>>,
): void {
  peer.onRequest(method, requests[method].params, (params) => handle(params as RequestParams<M>));
}
