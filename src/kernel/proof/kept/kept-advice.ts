import type { PlannedKind } from '../../../contracts/review/change-kinds.ts';
import type { TestRun } from '../../../contracts/sandbox/test-run.ts';
import { listFirst } from '../../../lib/text/list-first.ts';

const MAX_NAMED = 5;

/** The gate that the run failed: the gate that opens the source, or the gate before review. */
export type KeptGate = 'opening' | 'review';

/**
 * Returns advice if a run failed because of code that the change deleted or moved; '' otherwise. The text begins with a
 * space.
 */
export function keptAdvice(kind: PlannedKind, gate: KeptGate, run: TestRun): string {
  if (kind === 'deletion') return gate === 'review' ? deletionAdvice(run) : '';
  return run.cases.some(({ failure }) => failure?.kind === 'load' && failure.missing !== undefined)
    ? movedAdvice(kind, gate)
    : '';
}

/** Tests must be deleted before the source that they test: they are frozen after the source is opened. */
function deletionAdvice({ cases }: TestRun): string {
  const files = [...new Set(cases.filter(({ status }) => status === 'failed').map(({ file }) => file))];
  if (files.length === 0) return '';
  return ` To delete what these tests are for, delete them first: call workflow.revise_tests, take the cases out of ${listFirst(files, { max: MAX_NAMED })} (fs.delete where none is left), call test.run, then test.run once more. The source that is deleted already stays deleted; a person approves that the tests go. If something else needs that source, put it back.`;
}

function movedAdvice(kind: PlannedKind, gate: KeptGate): string {
  // The tool plan.complete is only available before the source is opened.
  const plan =
    gate === 'opening' || kind === 'tests'
      ? 'call plan.complete again'
      : 'call workflow.revise_tests and plan.complete';
  return ` To move or rename what tests import, keep the tests as they were, and leave its old path or name as an export of the new one. To change the tests too, ${plan} with kind feature: then they fail first, and a person looks at their change.`;
}
