import type { SessionState } from '../../../contracts/session/workflow-states.ts';

/** Short explanations of the states for people. */
export const STATE_WORDS: Readonly<Record<SessionState, string>> = {
  idle: 'ready for the next task',
  planning: 'reading and planning; nothing can be written yet',
  test_writing: 'tests first; the source opens once a new test has failed',
  code_writing: 'the source is open, the tests are frozen',
  validating: 'the whole suite decides',
  reviewing: 'the tests pass; the change goes to review',
  committing: 'merging and committing in one step',
  exploring: 'source and tests are open; no test has to fail first',
  retroactive_testing: 'tests for existing code',
};
