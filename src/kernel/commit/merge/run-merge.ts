import { mergePlanSchema } from '../../../contracts/review/merge-plan.ts';
import type { MergePlan } from '../../../contracts/review/merge-plan.ts';
import type { MergeTarget, StepOutcome } from '../../../contracts/ports/merge-target.ts';
import type { OperationLog, PendingOperation } from '../../../contracts/ports/operation-log.ts';
import type { MergeOutcome } from '../../../contracts/ports/repository.ts';
import { messageOf } from '../../../lib/text/message-of.ts';

/** The kind of these operations in the operation log. */
export const MERGE_KIND = 'merge';

export interface MergeServices {
  readonly log: OperationLog;
  readonly target: MergeTarget;
}

/** The outcome of an operation that a crash had interrupted. */
export interface RecoveredMerge {
  readonly operation: string;
  readonly plan: MergePlan;
  readonly outcome: MergeOutcome;
}

/**
 * Applies a plan completely or not at all. On a conflict or a system error, all completed steps are reverted. If
 * reverting fails too, the operation stays pending and the next `recoverMerges` continues it.
 */
export async function runMerge(services: MergeServices, plan: MergePlan): Promise<MergeOutcome> {
  if (services.log.pending().some(({ kind }) => kind === MERGE_KIND)) {
    return {
      kind: 'failed',
      reason: 'an earlier merge was interrupted and is not finished; a restart continues it',
    };
  }
  const operation = services.log.begin(MERGE_KIND, JSON.stringify(plan));
  return applySteps(services, operation, plan, 0);
}

/** Called at start, before anything else changes the project: continues or reverts merges that a crash interrupted. */
export async function recoverMerges(services: MergeServices): Promise<RecoveredMerge[]> {
  const recovered: RecoveredMerge[] = [];
  for (const pending of services.log.pending()) {
    if (pending.kind !== MERGE_KIND) continue;
    const plan = mergePlanSchema.parse(JSON.parse(pending.detail));
    recovered.push({ operation: pending.id, plan, outcome: await recover(services, pending, plan) });
  }
  return recovered;
}

/** Reverts a finished merge, as a new operation, if its files have not been changed since. */
export async function undoMerge(
  services: MergeServices,
  operation: string,
  planUndo: (merge: MergePlan, operation: string) => MergePlan,
): Promise<MergeOutcome> {
  const found = services.log.find(operation);
  if (found?.kind !== MERGE_KIND || found.status !== 'done') {
    return { kind: 'failed', reason: 'there is no finished merge with that id' };
  }
  return runMerge(services, planUndo(mergePlanSchema.parse(JSON.parse(found.detail)), operation));
}

async function recover(services: MergeServices, pending: PendingOperation, plan: MergePlan): Promise<MergeOutcome> {
  // The locks may have been removed by hand meanwhile. They are acquired again before anything else is changed.
  const [lock] = plan.steps;
  const locked = lock === undefined ? null : await attempt(() => services.target.apply(pending.id, lock));
  if (locked?.kind === 'failed') return { kind: 'pending', reason: locked.reason };
  if (locked?.kind === 'conflict' && pending.lastStep >= 0) {
    return { kind: 'pending', reason: `${locked.reason}; the interrupted merge waits until the lock is gone` };
  }
  if (pending.lastStep >= turningPoint(plan)) {
    return revertAll(services, pending.id, plan, {
      kind: 'failed',
      reason: 'the merge was interrupted while it was reverted',
    });
  }
  return applySteps(services, pending.id, plan, pending.lastStep + 1);
}

async function applySteps(
  services: MergeServices,
  operation: string,
  plan: MergePlan,
  from: number,
): Promise<MergeOutcome> {
  for (const [n, step] of [...plan.steps.entries()].slice(from)) {
    const outcome = await attempt(async () => {
      const applied = await services.target.apply(operation, step);
      if (applied.kind === 'applied') services.log.markStep(operation, n);
      return applied;
    });
    if (outcome.kind !== 'applied') return takeBack(services, operation, plan, outcome);
  }
  try {
    services.log.finish(operation, 'done');
  } catch (error) {
    return { kind: 'pending', reason: `everything is in place, and this could not be recorded: ${messageOf(error)}` };
  }
  return { kind: 'merged', operation, commit: plan.commit };
}

/** The step number that marks the start of reverting: after it, a restart must not apply further steps. */
function turningPoint(plan: MergePlan): number {
  return plan.steps.length;
}

async function takeBack(
  services: MergeServices,
  operation: string,
  plan: MergePlan,
  why: Stopped,
): Promise<MergeOutcome> {
  try {
    services.log.markStep(operation, turningPoint(plan));
  } catch (error) {
    return unfinished(why, error);
  }
  return revertAll(services, operation, plan, why);
}

async function revertAll(
  services: MergeServices,
  operation: string,
  plan: MergePlan,
  why: Stopped,
): Promise<MergeOutcome> {
  const left: string[] = [];
  try {
    for (const step of plan.steps.toReversed()) left.push(...(await services.target.revert(operation, step)));
    services.log.finish(operation, 'undone');
    await services.target.forget(operation);
  } catch (error) {
    return unfinished(why, error);
  }
  if (why.kind === 'failed' && left.length === 0) return why;
  const paths = why.kind === 'conflict' ? why.paths : [];
  return { kind: 'conflict', paths: [...new Set([...paths, ...left])], reason: why.reason };
}

/** Still pending: the next recovery continues it. */
function unfinished(why: Stopped, error: unknown): MergeOutcome {
  return { kind: 'pending', reason: `${why.reason}; it could not be reverted yet: ${messageOf(error)}` };
}

type Stopped = Exclude<Attempted, { readonly kind: 'applied' }>;
type Attempted = StepOutcome | { readonly kind: 'failed'; readonly reason: string };

async function attempt(work: () => Promise<StepOutcome>): Promise<Attempted> {
  try {
    return await work();
  } catch (error) {
    return { kind: 'failed', reason: messageOf(error) };
  }
}
