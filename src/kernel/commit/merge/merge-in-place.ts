import type { CheckPlace } from '../../../contracts/ports/host-services.ts';
import type { MergeTarget } from '../../../contracts/ports/merge-target.ts';
import type { MergeStep } from '../../../contracts/review/merge-plan.ts';

/**
 * `lock` begins a merge, an undo, or the recovery of either after a crash. `check` is the last check before something
 * is written.
 */
const BEFORE_WRITING: readonly MergeStep['kind'][] = ['lock', 'check'];

/**
 * A target that is written only while the paths of project and state still lead to it. A directory that was moved away
 * is still mounted in L1. The user, who looks at the path, would be shown a commit that is not there, or one without
 * its record.
 */
export function mergeInPlace(target: MergeTarget, checkPlace: CheckPlace): MergeTarget {
  return {
    async apply(operation, step) {
      const place = BEFORE_WRITING.includes(step.kind) ? await checkPlace() : null;
      return place?.kind === 'replaced'
        ? { kind: 'conflict', paths: [], reason: `the ${place.what} was replaced: ${place.why}` }
        : target.apply(operation, step);
    },
    revert: (operation, step) => target.revert(operation, step),
    forget: (operation) => target.forget(operation),
  };
}
