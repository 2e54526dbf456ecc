import type { PlannedKind } from '../../../contracts/review/change-kinds.ts';
import type { TestRun } from '../../../contracts/sandbox/test-run.ts';
import { listFirst } from '../../../lib/text/list-first.ts';

const MAX_NAMED = 5;

/** The gate that a run did not pass: the one that opens the source, or the one before review. */
export type KeptGate = 'opening' | 'review';

/** What leads on from a run that failed because of what such a change takes away or moves; '' where that is not why. Begins with a space. */
export function keptAdvice(kind: PlannedKind, gate: KeptGate, run: TestRun): string {
  if (kind === 'deletion') return gate === 'review' ? deletionAdvice(run) : '';
  return run.cases.some(({ failure }) => failure?.kind === 'load' && failure.missing !== undefined)
    ? movedAdvice(kind, gate)
    : '';
}

/** Source can go only after the tests of it: they are frozen since the source was opened. */
function deletionAdvice({ cases }: TestRun): string {
  const files = [...new Set(cases.filter(({ status }) => status === 'failed').map(({ file }) => file))];
  if (files.length === 0) return '';
  return ` To delete what these tests are for, delete them first: call workflow.revise_tests, take the cases out of ${listFirst(files, { max: MAX_NAMED })} (fs.delete where none is left), call test.run, then test.run once more. The source that is deleted already stays deleted; a person approves that the tests go. If something else needs that source, put it back.`;
}

function movedAdvice(kind: PlannedKind, gate: KeptGate): string {
  // plan.complete is open only before the source is.
  const plan =
    gate === 'opening' || kind === 'tests'
      ? 'call plan.complete again'
      : 'call workflow.revise_tests and plan.complete';
  return ` To move or rename what tests import, keep the tests as they were, and leave its old path or name as an export of the new one. To change the tests too, ${plan} with kind feature: then they fail first, and a person looks at their change.`;
}
