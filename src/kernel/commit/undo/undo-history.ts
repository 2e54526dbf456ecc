import { mergePlanSchema } from '../../../contracts/review/merge-plan.ts';
import type { MergePlan } from '../../../contracts/review/merge-plan.ts';
import type { MergeOutcome } from '../../../contracts/ports/repository.ts';
import { planRedo, planUndo } from '../merge/plan-merge.ts';
import { MERGE_KIND, runMerge, undoMerge } from '../merge/run-merge.ts';
import type { MergeServices } from '../merge/run-merge.ts';

/**
 * Maximum number of merges of a project that can be undone, counted from the newest. Backups of older merges are
 * dropped.
 */
export const MERGES_KEPT = 20;
/** How many older merges are checked for backups to drop. More than one can be left only after a crash. */
const LOOKED_BACK = 100;

/** Undoes the merge of this commit; null if there is no such merge, or if its backup was dropped. */
export async function undoCommit(
  services: MergeServices,
  commit: string,
  at: { readonly seconds: number; readonly offsetMinutes: number },
): Promise<MergeOutcome | null> {
  const found = kept(services).find(({ plan }) => plan.commit === commit);
  if (found === undefined) return null;
  const outcome = await undoMerge(services, found.id, (merge, operation) => planUndo(merge, operation, at));
  // The undo is complete even if this fails; the next start tries again.
  if (outcome.kind === 'merged') await settleUndo(services, outcome.operation, found.id).catch(() => undefined);
  return outcome;
}

/** Merges this commit again; null if its last undo is no longer known. */
export async function redoCommit(
  services: MergeServices,
  commit: string,
  at: { readonly seconds: number; readonly offsetMinutes: number },
): Promise<MergeOutcome | null> {
  const undo = finished(services).find(({ plan }) => plan.undoes !== null && plan.commit === commit);
  const undone = undo?.plan.undoes ?? null;
  const merge = undone === null ? null : services.log.find(undone);
  if (merge === null) return null;
  return runMerge(services, planRedo(mergePlanSchema.parse(JSON.parse(merge.detail)), at));
}

/** After a completed undo: the merge is marked as undone, and the backups of both are dropped. */
export async function settleUndo(services: MergeServices, undo: string, merge: string): Promise<void> {
  services.log.finish(merge, 'undone');
  for (const operation of [merge, undo]) await services.target.forget(operation);
}

/**
 * The last operation on a commit. The operation log is the authority: a session may have been interrupted before it was
 * updated.
 */
export interface LastDone {
  readonly operation: string;
  readonly plan: MergePlan;
}

/** The last operation on each commit of the newest merges and undos. */
export function lastDone(services: Pick<MergeServices, 'log'>): ReadonlyMap<string, LastDone> {
  const last = new Map<string, LastDone>();
  for (const { id, plan } of finished(services))
    if (!last.has(plan.commit)) last.set(plan.commit, { operation: id, plan });
  return last;
}

/** Drops the backups of merges that are too old to be undone. */
export async function forgetOldMerges(services: MergeServices): Promise<void> {
  for (const { id } of merges(services).slice(MERGES_KEPT)) await services.target.forget(id);
}

function kept(services: MergeServices): { readonly id: string; readonly plan: MergePlan }[] {
  return merges(services).slice(0, MERGES_KEPT);
}

/** Completed merges that were not undone, newest first. */
function merges(services: MergeServices): { readonly id: string; readonly plan: MergePlan }[] {
  return finished(services).filter(({ plan }) => plan.undoes === null);
}

/** Merges and undos, newest first. */
function finished(services: Pick<MergeServices, 'log'>): { readonly id: string; readonly plan: MergePlan }[] {
  return services.log
    .finished(MERGE_KIND, MERGES_KEPT + LOOKED_BACK)
    .map(({ id, detail }) => ({ id, plan: mergePlanSchema.parse(JSON.parse(detail)) }));
}
