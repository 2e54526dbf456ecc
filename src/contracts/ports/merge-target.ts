import type { MergeStep } from '../review/merge-plan.ts';

export type StepOutcome =
  | { readonly kind: 'applied' }
  /** Somebody else changed these meanwhile, or holds a lock. What the step did before it noticed is undone by `revert`. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[]; readonly reason: string };

/**
 * The project as a merge changes it: the only place that writes into it. `operation` is the id in the operation log; backups and
 * temporary files are kept under it. Both calls may be repeated, in whole or after a crash in the middle. Throws when the system
 * refuses (full disk, permissions).
 */
export interface MergeTarget {
  apply(operation: string, step: MergeStep): Promise<StepOutcome>;
  /** Takes back what `apply` did, in part or whole. Answers the paths that it left alone because somebody changed them since. */
  revert(operation: string, step: MergeStep): Promise<readonly string[]>;
  /** Drops the backups of an operation, which cannot be undone afterwards. Succeeds when there are none. */
  forget(operation: string): Promise<void>;
}
