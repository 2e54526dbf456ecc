import { describe, expect, it } from 'vitest';
import { FRAME_MS, LOOK_AGAIN_MS, mayDecide } from '../../../src/tui/store/may-decide.ts';
import { cardOf } from '../../../src/tui/review/card.ts';
import { REVIEW } from '../event-stream.ts';
import type { WaitingCard } from '../../../src/tui/store/view-state.ts';

const card: WaitingCard = {
  reviewId: 'r_1',
  shown: cardOf(REVIEW),
  kind: 'merge',
  message: '',
  diff: '',
  sha256: '',
  drawnAtMs: 1000,
  waitsSinceMs: null,
  deciding: false,
};
const later = 1000 + FRAME_MS;

describe('what was typed decides a review', () => {
  it.each([
    ['only when one waits', null, 2000, 3000, 'nothing-waits'],
    ['only once', { ...card, deciding: true }, 2000, 3000, 'deciding'],
    ['never before the card was drawn', { ...card, drawnAtMs: null }, 900, 3000, 'too-early'],
    ['never in the frame in which the card was drawn', card, 1001, later - 1, 'too-early'],
    ['never when it was begun before the card was drawn', card, 999, 3000, 'typed-before'],
    ['never when it was begun with the card', card, 1000, 3000, 'typed-before'],
    ['never when nothing was typed', card, null, 3000, 'typed-before'],
    ['not by a second Enter of the same habit', card, 3000 + LOOK_AGAIN_MS, 3000, 'too-early'],
    ['when it was begun after the card was drawn', card, 1001, later, 'yes'],
    ['when it came in one piece with Enter', card, 5000, 5000, 'yes'],
  ] as const)('%s', (_, waiting, sinceMs, nowMs, kind) => {
    expect(mayDecide(waiting, { sinceMs }, nowMs).kind).toBe(kind);
  });
});
