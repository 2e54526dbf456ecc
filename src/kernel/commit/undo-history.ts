import { mergePlanSchema } from '../../contracts/merge-plan.ts';
import type { MergePlan } from '../../contracts/merge-plan.ts';
import type { MergeOutcome } from '../../contracts/ports/repository.ts';
import { planUndo } from './plan-merge.ts';
import { MERGE_KIND, undoMerge } from './run-merge.ts';
import type { MergeServices } from './run-merge.ts';

/** So many merges of a project can be taken back, the newest ones; the backups of older ones are dropped. */
export const MERGES_KEPT = 20;
/** Beyond those that are kept, so many are looked at: more than one are only left where a crash came in between. */
const LOOKED_BACK = 100;

/** Takes the merge of this commit back; null when there is no such merge, or none any more. */
export async function undoCommit(
  services: MergeServices,
  commit: string,
  at: { readonly seconds: number; readonly offsetMinutes: number },
): Promise<MergeOutcome | null> {
  const found = kept(services).find(({ plan }) => plan.commit === commit);
  if (found === undefined) return null;
  const outcome = await undoMerge(services, found.id, (merge, operation) => planUndo(merge, operation, at));
  if (outcome.kind === 'merged') await settleUndo(services, outcome.operation, found.id);
  return outcome;
}

/** After an undo went through: the merge counts as undone, and nobody needs the backups of either. */
export async function settleUndo(services: MergeServices, undo: string, merge: string): Promise<void> {
  services.log.finish(merge, 'undone');
  for (const operation of [merge, undo]) await services.target.forget(operation);
}

/** Drops the backups of merges that are too old to be taken back. */
export async function forgetOldMerges(services: MergeServices): Promise<void> {
  for (const { id } of merges(services).slice(MERGES_KEPT)) await services.target.forget(id);
}

function kept(services: MergeServices): { readonly id: string; readonly plan: MergePlan }[] {
  return merges(services).slice(0, MERGES_KEPT);
}

/** Merges that went through and were not taken back, newest first. */
function merges(services: MergeServices): { readonly id: string; readonly plan: MergePlan }[] {
  return services.log
    .finished(MERGE_KIND, MERGES_KEPT + LOOKED_BACK)
    .map(({ id, detail }) => ({ id, plan: mergePlanSchema.parse(JSON.parse(detail)) }))
    .filter(({ plan }) => plan.undoes === null);
}
