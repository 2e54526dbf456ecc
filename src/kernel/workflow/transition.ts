import type { SessionState } from '../../contracts/session/workflow-states.ts';

/**
 * The workflow as a table. It knows nothing of evidence: the caller that fires `red_confirmed`, `green_confirmed` or
 * `merge_approved` has checked it (`proof/red.ts`, `proof/green.ts`, the review). Every pair that is not in the table
 * is illegal.
 */

/**
 * `strict` requires tests first, or a passing suite before a change that keeps behaviour. `tests` writes only tests.
 * `explore` is for explore and debug mode, and for strict mode under an exemption.
 */
export type Flow = 'strict' | 'tests' | 'explore';

export const WORKFLOW_EVENTS = [
  'user_message',
  'turn_answered',
  'plan_completed',
  'exemption_granted',
  'red_confirmed',
  'suite_confirmed',
  'tests_revised',
  'validation_started',
  'green_confirmed',
  'green_failed',
  'merge_approved',
  'merge_rejected',
  'tests_requested',
  'commit_completed',
  'commit_failed',
  'cancelled',
] as const;
export type WorkflowEvent = (typeof WORKFLOW_EVENTS)[number];

export type TransitionOutcome =
  | { readonly kind: 'moved'; readonly next: SessionState }
  | { readonly kind: 'illegal-transition'; readonly from: SessionState; readonly event: WorkflowEvent };

type Row = Partial<Record<WorkflowEvent, SessionState>>;
type Table = Readonly<Record<SessionState, Row>>;

const CANCEL: Row = { cancelled: 'idle' };

/** Rows, or parts of rows, that several flows share. */
const PLANNING: Row = {
  ...CANCEL,
  plan_completed: 'test_writing',
  exemption_granted: 'exploring',
  turn_answered: 'idle',
};
const TEST_WRITING: Row = { ...CANCEL, plan_completed: 'test_writing', exemption_granted: 'exploring' };
const COMMITTING: Row = { ...CANCEL, commit_completed: 'idle' };

const STRICT: Table = {
  idle: { user_message: 'planning' },
  planning: PLANNING,
  test_writing: { ...TEST_WRITING, red_confirmed: 'code_writing', suite_confirmed: 'code_writing' },
  code_writing: { ...CANCEL, tests_revised: 'test_writing', validation_started: 'validating' },
  validating: { ...CANCEL, green_confirmed: 'reviewing', green_failed: 'code_writing' },
  reviewing: { ...CANCEL, merge_approved: 'committing', merge_rejected: 'code_writing', tests_revised: 'test_writing' },
  committing: { ...COMMITTING, commit_failed: 'code_writing' },
  exploring: {},
  retroactive_testing: {},
};

const TESTS: Table = {
  idle: { user_message: 'planning' },
  planning: PLANNING,
  test_writing: { ...TEST_WRITING, validation_started: 'validating' },
  validating: { ...CANCEL, green_confirmed: 'reviewing', green_failed: 'test_writing' },
  reviewing: { ...CANCEL, merge_approved: 'committing', merge_rejected: 'test_writing', tests_revised: 'test_writing' },
  committing: { ...COMMITTING, commit_failed: 'test_writing' },
  code_writing: {},
  exploring: {},
  retroactive_testing: {},
};

const EXPLORE: Table = {
  idle: { user_message: 'planning' },
  planning: { ...PLANNING, plan_completed: 'exploring' },
  exploring: { ...CANCEL, validation_started: 'validating' },
  validating: { ...CANCEL, green_confirmed: 'reviewing', green_failed: 'exploring' },
  reviewing: {
    ...CANCEL,
    merge_approved: 'committing',
    merge_rejected: 'exploring',
    tests_requested: 'retroactive_testing',
  },
  retroactive_testing: { ...CANCEL, validation_started: 'validating' },
  committing: { ...COMMITTING, commit_failed: 'exploring' },
  test_writing: {},
  code_writing: {},
};

export const TRANSITIONS: Readonly<Record<Flow, Table>> = { strict: STRICT, tests: TESTS, explore: EXPLORE };

/** The state that `event` leads to from `state`, or that the pair is illegal. Pure. */
export function transition(flow: Flow, state: SessionState, event: WorkflowEvent): TransitionOutcome {
  const found = TRANSITIONS[flow][state][event];
  if (found === undefined) return { kind: 'illegal-transition', from: state, event };
  return { kind: 'moved', next: found };
}

const BEFORE_VALIDATION: Readonly<Record<Flow, SessionState>> = {
  strict: 'code_writing',
  tests: 'test_writing',
  explore: 'exploring',
};

/** The state in which an interrupted session resumes: the state before the interrupted step. */
export function lastDecidedState(flow: Flow, state: SessionState): SessionState {
  switch (state) {
    case 'validating':
      return BEFORE_VALIDATION[flow];
    case 'idle':
    case 'planning':
    case 'test_writing':
    case 'code_writing':
    case 'reviewing':
    case 'committing':
    case 'exploring':
    case 'retroactive_testing':
      return state;
  }
}
