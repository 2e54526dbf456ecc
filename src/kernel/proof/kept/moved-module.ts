import type { TestRun } from '../../../contracts/sandbox/test-run.ts';

/** What to do where a test does not find a module that the change moves; '' where none is missing. */
export function movedModuleAdvice({ cases }: TestRun): string {
  if (!cases.some(({ failure }) => failure?.kind === 'load' && failure.missing !== undefined)) return '';
  return ' To move what tests import, keep the tests as they were and leave a file at its old path that exports what is at the new one. To move the tests to the new path too, call plan.complete again with kind feature: then they fail first, and a person looks at their change.';
}
