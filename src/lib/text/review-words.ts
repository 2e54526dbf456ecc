import type { EventOf } from '../../contracts/session/events.ts';

/** What a person wants who requests tests and says no more. */
export const TESTS_WANTED = 'write tests for this change';

/** How a review was decided, as the word before `by human`. */
export function decidedAs({ decision, edited, tests }: EventOf<'review.decided'>): string {
  if (edited === true) return 'edited';
  return tests === true ? 'sent back for tests' : decision;
}
