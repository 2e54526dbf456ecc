import type { MergeStep } from '../review/merge-plan.ts';

export type StepOutcome =
  | { readonly kind: 'applied' }
  /** Another program changed these paths meanwhile, or holds a lock. `revert` undoes what the step did before it noticed. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[]; readonly reason: string };

/**
 * The project as a merge changes it: the only place that writes into it. `operation` is the id in the operation log; backups and temporary files are
 * stored under it. Both calls may be repeated, also after a crash in the middle. Throws if the system refuses (full disk, permissions).
 */
export interface MergeTarget {
  apply(operation: string, step: MergeStep): Promise<StepOutcome>;
  /** Reverts what `apply` did, in part or completely. Returns the paths that it left unchanged because somebody has changed them since. */
  revert(operation: string, step: MergeStep): Promise<readonly string[]>;
  /** Drops the backups of an operation, which cannot be undone afterwards. Succeeds if there are none. */
  forget(operation: string): Promise<void>;
}
