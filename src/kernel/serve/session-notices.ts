import type { Session } from '../session/session.ts';
import type { Notice } from '../start/start-notices.ts';

/** Of a strict session in a project whose tests nobody knows how to run. */
export const WITHOUT_TESTS: Notice = {
  type: 'notice',
  level: 'warn',
  what: 'This session can answer questions, but cannot change files',
  why: 'Strict mode proves a change by its tests, and no way to run the tests of this project was found',
  fix: 'Set test.runner in .fluffy/config.yaml (fluffy config init writes a first version), or switch with /explore',
  code: 'no_test_command',
};

export function reportModeRefused(session: Session, reason: string): void {
  session.emit({
    type: 'notice',
    level: 'warn',
    what: `Mode ${session.snapshot.options.mode} was refused; the session is strict`,
    why: reason,
    fix: 'Start an interactive session and switch there, where you can approve it',
    code: 'mode_refused',
  });
}
