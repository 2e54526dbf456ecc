import type { EventOf } from '../../contracts/session/events.ts';

/** The default text for a person who requests tests without further words. */
export const TESTS_WANTED = 'write tests for this change';

/** The word before `by human` that says how a review was decided. */
export function decidedAs({ decision, edited, tests }: EventOf<'review.decided'>): string {
  if (edited === true) return 'edited';
  return tests === true ? 'sent back for tests' : decision;
}
