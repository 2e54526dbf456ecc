import { SESSION_STATES } from '../../../contracts/session/workflow-states.ts';
import type { SessionState } from '../../../contracts/session/workflow-states.ts';

/** States in which files can be written. The state also decides which files. */
export const WRITING: readonly SessionState[] = ['test_writing', 'code_writing', 'exploring', 'retroactive_testing'];

/** States in which a task is in progress. */
export const WORKING: readonly SessionState[] = [...WRITING, 'planning', 'validating', 'reviewing'];

export const ANY_STATE: readonly SessionState[] = SESSION_STATES;

/** For a tool that only needs a task. */
export const NEXT_TASK = 'It opens with the next task.';
export const WRITING_OPENS = 'Writing opens with plan.complete (tests first), and the source with a failing new test.';
