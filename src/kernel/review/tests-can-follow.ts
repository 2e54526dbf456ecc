import { flowOf } from '../record/fire-event.ts';
import type { Session } from '../session/session.ts';
import { transition } from '../workflow/transition.ts';

/**
 * Whether a review of this session can be answered with a request for tests: the mode has such a step, and a test
 * command is known.
 */
export function testsCanFollow(session: Session): boolean {
  const { exemption, options } = session.snapshot;
  if (exemption !== null || options.test_command === null) return false;
  return transition(flowOf(session), 'reviewing', 'tests_requested').kind === 'moved';
}
