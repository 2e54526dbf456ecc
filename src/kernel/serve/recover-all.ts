import type { MergeTarget } from '../../contracts/ports/merge-target.ts';
import type { OperationLog } from '../../contracts/ports/operation-log.ts';
import type { SessionStore } from '../../contracts/ports/session-store.ts';
import { recoverMerges } from '../commit/merge/run-merge.ts';
import { forgetOldMerges, lastDone, settleUndo } from '../commit/undo/undo-history.ts';
import type { LastDone } from '../commit/undo/undo-history.ts';
import { completed } from '../commit/merge/settle-merge.ts';
import { move } from '../record/fire-event.ts';
import { redone } from '../commit/undo/redo-last.ts';
import { undone } from '../commit/undo/undo-last.ts';
import type { Services } from '../services.ts';
import { finish } from '../run/end-run.ts';
import type { SessionManager } from './session-manager.ts';

export interface RecoveryServices {
  readonly services: Services;
  readonly sessions: SessionManager;
  readonly store: SessionStore;
  readonly log: OperationLog;
  readonly target: MergeTarget;
  /** Called for a session that could not be settled; the others are. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Called after a crash, before the first request. Interrupted merges are completed or reverted, sessions in state
 * `committing` are updated accordingly, and leftovers in the engine are removed. A session that cannot be read does not
 * prevent others from being served.
 */
export async function recoverAll(recovery: RecoveryServices): Promise<void> {
  const { services, sessions, store, log, target, onFault } = recovery;
  const unsettled = new Set<string>();
  const recovered = new Set<string>();
  for (const { operation, plan, outcome } of await recoverMerges({ log, target })) {
    if (outcome.kind === 'pending') unsettled.add(plan.session);
    recovered.add(operation);
  }
  for (const last of lastDone({ log }).values())
    await settle(recovery, last, recovered.has(last.operation)).catch(onFault);
  for (const row of store.list()) {
    if (row.state === 'committing' && !unsettled.has(row.id))
      await settleCommitting(services, sessions, row.id).catch(onFault);
  }
  await forgetOldMerges({ log, target }).catch(onFault);
  await services.sandboxes.collectOrphans();
}

/**
 * The log is authoritative, whatever the session has stored: it may have been interrupted between an operation and its
 * own record of it.
 */
async function settle(
  { services, sessions, store, log, target }: RecoveryServices,
  last: LastDone,
  wasCutOff: boolean,
): Promise<void> {
  const { session: id, commit, undoes } = last.plan;
  if (undoes !== null && log.find(undoes)?.status === 'done') await settleUndo({ log, target }, last.operation, undoes);
  const row = store.get(id);
  if (row === null || row.commits.includes(commit) === (undoes === null)) return;
  const session = sessions.get(id);
  if (undoes !== null) return undone(services, session, commit);
  if (session.snapshot.undone.includes(commit)) return redone(services, session, commit);
  const isAwaited = session.state === 'committing' && session.snapshot.prepared?.prepared.commit === commit;
  if (!wasCutOff && !isAwaited) return;
  session.updateRow({ state: 'committing' });
  await settleAsCommitted(services, session, commit);
}

/**
 * The session is still `committing`, with no merge in the log: the merge completed just before the crash, or never
 * began. HEAD shows which.
 */
async function settleCommitting(services: Services, sessions: SessionManager, id: string): Promise<void> {
  const session = sessions.get(id);
  const prepared = session.snapshot.prepared?.prepared;
  const base = await services.commits.base();
  if (base.kind === 'ok' && prepared !== undefined && base.head === prepared.commit) {
    await settleAsCommitted(services, session, base.head);
    return;
  }
  session.update({ review: null, prepared: null, commit_message: null, green: null });
  move(services, session, 'commit_failed', 'recovered');
}

async function settleAsCommitted(
  services: Services,
  session: ReturnType<SessionManager['get']>,
  commit: string,
): Promise<void> {
  const workspace = await services.workspaces.open(session.id);
  const paths = (await workspace.changes()).map((change) => change.path);
  const subject = session.snapshot.review?.message.split('\n')[0] ?? 'The change was committed before the restart';
  await completed({ services, session, workspace }, commit, paths);
  finish(services, session, { kind: 'committed', commit, subject });
}
