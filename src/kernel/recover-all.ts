import type { MergeTarget } from '../contracts/ports/merge-target.ts';
import type { OperationLog } from '../contracts/ports/operation-log.ts';
import type { SessionStore } from '../contracts/ports/session-store.ts';
import { recoverMerges } from './merge/run-merge.ts';
import type { RecoveredMerge } from './merge/run-merge.ts';
import { forgetOldMerges, settleUndo } from './merge/undo-history.ts';
import { completed } from './pipeline/propose-commit.ts';
import { move } from './pipeline/move.ts';
import { undone } from './pipeline/undo-last.ts';
import type { World } from './pipeline/world.ts';
import { finish } from './pipeline.ts';
import type { SessionManager } from './serve/session-manager.ts';

export interface RecoveryWorld {
  readonly world: World;
  readonly sessions: SessionManager;
  readonly store: SessionStore;
  readonly log: OperationLog;
  readonly target: MergeTarget;
  /** Told of a session that could not be settled; the others are. */
  readonly onFault: (error: unknown) => void;
}

/**
 * After a crash, before anybody is served: half-done merges are carried through or taken back, sessions that stood in `committing` learn which, and what was left in
 * the engine is removed. One session that cannot be read keeps nobody else from being served.
 */
export async function recoverAll(recovery: RecoveryWorld): Promise<void> {
  const { world, sessions, store, log, target, onFault } = recovery;
  const unsettled = new Set<string>();
  for (const merge of await recoverMerges({ log, target })) {
    if (merge.outcome.kind === 'pending') unsettled.add(merge.plan.session);
    if (merge.outcome.kind === 'merged' && merge.plan.undoes !== null)
      await settleUndo({ log, target }, merge.operation, merge.plan.undoes).catch(onFault);
    await settleMerge(world, sessions, store, merge).catch(onFault);
  }
  for (const row of store.list()) {
    if (row.state === 'committing' && !unsettled.has(row.id))
      await settleCommitting(world, sessions, row.id).catch(onFault);
  }
  await forgetOldMerges({ log, target }).catch(onFault);
  await world.sandboxes.collectOrphans();
}

/** What the log says happened holds, in whatever state the session thinks it is. */
async function settleMerge(
  world: World,
  sessions: SessionManager,
  store: SessionStore,
  { plan, outcome }: RecoveredMerge,
): Promise<void> {
  if (outcome.kind !== 'merged' || store.get(plan.session) === null) return;
  const session = sessions.get(plan.session);
  if (plan.undoes !== null) {
    if (session.row.commits.includes(plan.commit)) undone(world, session, plan.commit);
    return;
  }
  if (session.row.commits.includes(outcome.commit)) return;
  if (session.state !== 'committing') session.updateRow({ state: 'committing' });
  await settleAsCommitted(world, session, outcome.commit);
}

/** Still committing, with no merge left in the log: it went through just before the crash, or never began. HEAD says which. */
async function settleCommitting(world: World, sessions: SessionManager, id: string): Promise<void> {
  const session = sessions.get(id);
  const prepared = (session.snapshot.prepared as { prepared?: { commit?: string } } | null)?.prepared;
  const base = await world.commits.base();
  if (base.kind === 'ok' && prepared?.commit !== undefined && base.head === prepared.commit) {
    await settleAsCommitted(world, session, base.head);
    return;
  }
  session.update({ review: null, prepared: null, commit_message: null, green: null });
  move(world, session, 'commit_failed', 'recovered');
}

async function settleAsCommitted(
  world: World,
  session: ReturnType<SessionManager['get']>,
  commit: string,
): Promise<void> {
  const workspace = await world.workspaces.open(session.id);
  const paths = (await workspace.changes()).map((change) => change.path);
  const subject = session.snapshot.review?.message.split('\n')[0] ?? 'The change was committed before the restart';
  await completed(world, session, workspace, commit, paths);
  finish(world, session, { kind: 'committed', commit, subject });
}
