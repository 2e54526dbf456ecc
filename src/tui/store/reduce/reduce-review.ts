import type { EventOf } from '../../../contracts/session/events.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import { readDiff } from '../../diff/read-diff.ts';
import { acceptedIn } from '../../review/accepted-files.ts';
import { cardOf } from '../../review/card.ts';
import { safeLine, safeLines } from '../safe-text.ts';
import type { SafeText } from '../safe-text.ts';
import { say } from './say.ts';
import type { ViewState } from '../view-state.ts';

/** A review with reasons is a card that waits for a decision; without reasons it is only shown. */
export function reviewRequested(view: ViewState, event: EventOf<'review.requested'>, atMs: number): ViewState {
  const message = event.message ?? '';
  if (event.reasons.length === 0) {
    return say(view, { kind: 'proposal', message: withoutTrailers(message), diff: readDiff(event.diff) });
  }
  const drawn = cardOf(event);
  const card = { ...drawn, accepted: acceptedIn(view.accepted, drawn.diff) };
  const shown = say(view, { kind: 'card', card });
  return {
    ...shown,
    // A hint concerned what was there before.
    hint: null,
    card: {
      reviewId: event.review_id,
      shown: card,
      kind: event.kind,
      message,
      diff: event.diff,
      sha256: event.sha256,
      drawnAtMs: null,
      waitsSinceMs: view.run.kind === 'running' ? atMs : null,
      deciding: false,
    },
  };
}

/** A message that needs no approval, without the trailers for verifiers. */
function withoutTrailers(message: string): SafeText[] {
  return safeLines(message.replace(/\n+(Fluffy-[A-Za-z]+: .*\n?)+$/, ''));
}

/** The time that a run waited for the decision about the card does not count as work. */
export function afterWaiting(view: ViewState, atMs: number): ViewState {
  const { card, run } = view;
  if (card === null || card.waitsSinceMs === null || run.kind !== 'running') return view;
  const waitedMs = run.waitedMs + Math.max(0, atMs - card.waitsSinceMs);
  return { ...view, card: { ...card, waitsSinceMs: null }, run: { ...run, waitedMs } };
}

export function reviewDecided(view: ViewState, event: EventOf<'review.decided'>): ViewState {
  const next = view.card?.reviewId === event.review_id ? { ...view, card: null, hint: null } : view;
  const by = event.by === 'human' ? 'you' : 'policy';
  switch (event.decision) {
    case 'approved': {
      const why = event.by === 'policy' ? ': the tests pass, nothing sensitive changes, the diff is small' : '';
      return say(next, { kind: 'decided', good: true, text: safeLine(`Approved by ${by}${why}`) });
    }
    case 'rejected':
      if (event.edited === true)
        return say(next, { kind: 'decided', good: true, text: safeLine(`You ${event.reason ?? 'edited it'}`) });
      if (event.tests === true)
        return say(next, { kind: 'decided', good: true, text: safeLine(`You requested tests: ${event.reason ?? ''}`) });
      return say(next, {
        kind: 'decided',
        good: false,
        text: safeLine(`Rejected by ${by}${event.reason === undefined ? '' : `: ${event.reason}`}`),
      });
    case 'expired':
      return say(next, {
        kind: 'decided',
        good: false,
        text: safeLine(`The review is over without a decision${event.reason === undefined ? '' : `: ${event.reason}`}`),
      });
    default:
      return assertNever(event.decision);
  }
}
