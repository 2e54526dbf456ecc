import type { EventOf } from '../../contracts/session/events.ts';

/** How a review was decided, as the word before `by human`. */
export function decidedAs({ decision, edited, tests }: EventOf<'review.decided'>): string {
  if (edited === true) return 'edited';
  return tests === true ? 'sent back for tests' : decision;
}
