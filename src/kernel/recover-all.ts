import type { MergeTarget } from '../contracts/ports/merge-target.ts';
import type { OperationLog } from '../contracts/ports/operation-log.ts';
import type { SessionStore } from '../contracts/ports/session-store.ts';
import { recoverMerges } from './merge/run-merge.ts';
import { completed } from './pipeline/propose-commit.ts';
import { move } from './pipeline/move.ts';
import type { World } from './pipeline/world.ts';
import { finish } from './pipeline.ts';
import type { SessionManager } from './serve/session-manager.ts';

export interface RecoveryWorld {
  readonly world: World;
  readonly sessions: SessionManager;
  readonly store: SessionStore;
  readonly log: OperationLog;
  readonly target: MergeTarget;
}

/**
 * After a crash, before anybody is served: half-done merges are carried through or taken back, sessions that stood in `committing` learn which, and what was left in
 * the engine is removed.
 */
export async function recoverAll({ world, sessions, store, log, target }: RecoveryWorld): Promise<void> {
  const merges = await recoverMerges({ log, target });
  for (const { plan, outcome } of merges) {
    if (plan.undoes !== null || store.get(plan.session) === null) continue;
    const session = sessions.get(plan.session);
    // One that could not be settled yet stays pending: a merge is refused until it is, and says so.
    if (session.state !== 'committing' || outcome.kind === 'failed') continue;
    const workspace = await world.workspaces.open(session.id);
    if (outcome.kind === 'merged') {
      await completed(
        world,
        session,
        workspace,
        outcome.commit,
        (await workspace.changes()).map((change) => change.path),
      );
      finish(world, session, { kind: 'committed', commit: outcome.commit, subject: 'Merged after a restart' });
    }
  }
  for (const row of store.list()) if (row.state === 'committing') await settleCommitting(world, sessions, row.id);
  await world.sandboxes.collectOrphans();
}

/** Still committing: the merge went through just before the crash, or never began. HEAD says which. */
async function settleCommitting(world: World, sessions: SessionManager, id: string): Promise<void> {
  const session = sessions.get(id);
  const prepared = (session.snapshot.prepared as { prepared?: { commit?: string } } | null)?.prepared;
  const base = await world.commits.base();
  const workspace = await world.workspaces.open(session.id);
  if (base.kind === 'ok' && prepared?.commit !== undefined && base.head === prepared.commit) {
    await completed(
      world,
      session,
      workspace,
      base.head,
      (await workspace.changes()).map((change) => change.path),
    );
    finish(world, session, { kind: 'committed', commit: base.head, subject: 'Merged before a restart' });
    return;
  }
  session.update({ review: null, green: null });
  move(world, session, 'commit_failed', 'recovered');
}
