import type { RequestResult } from '../../../contracts/session/session-protocol.ts';
import { assertNever } from '../../../lib/assert-never.ts';
import type { Choice } from '../../../tui/commands/slash-command.ts';
import { LOOK_AGAIN_MS, mayDecide } from '../../../tui/store/may-decide.ts';
import type { ViewStore } from '../../../tui/store/view-store.ts';
import type { WaitingCard } from '../../../tui/store/view-state.ts';
import type { MessageQueue } from '../prompt/message-queue.ts';
import type { HumanChoice, ShownReview } from '../../review/decide-review.ts';

export interface ReviewParts {
  readonly store: ViewStore;
  readonly nowMs: () => number;
  /** Signs and sends the person's decision about the shown review. */
  readonly decide: (shown: ShownReview, choice: HumanChoice) => Promise<RequestResult<'review.decide'>>;
  /** Messages that were typed meanwhile. */
  readonly queue: Pick<MessageQueue, 'goOn' | 'sendNext' | 'joinRun'>;
  readonly hint: (text: string) => void;
  /** A line in the scrollback. */
  readonly note: (text: string) => void;
  readonly failed: (error: unknown) => void;
}

/** The card that typed input may decide; null, with a hint, if there is none. */
export function cardToDecide({
  store,
  nowMs,
  hint,
}: Pick<ReviewParts, 'store' | 'nowMs' | 'hint'>): WaitingCard | null {
  const may = mayDecide(store.current.card, store.current.composer, nowMs());
  switch (may.kind) {
    case 'yes':
      return may.card;
    case 'nothing-waits':
      hint('No review waits.');
      return null;
    case 'deciding':
      hint('Your decision is being applied.');
      return null;
    case 'too-early':
      hint('The review has only just been drawn. Look at it, then press Enter again.');
      return null;
    case 'typed-before':
      store.dispatch({ kind: 'edit', edit: { kind: 'look-again' }, atMs: nowMs() + LOOK_AGAIN_MS });
      hint('That was typed before the review was on the screen. Look at it, then press Enter again.');
      return null;
    default:
      return assertNever(may);
  }
}

/** Sends a decision about this card. Resolves to whether it was accepted; never rejects. */
export async function applyChoice(
  parts: Pick<ReviewParts, 'store' | 'nowMs' | 'decide' | 'queue' | 'failed'>,
  { reviewId, kind, message, diff, sha256 }: WaitingCard,
  choice: Exclude<Choice, { kind: 'approve-files' }>,
): Promise<boolean> {
  const { store, nowMs, decide, queue, failed } = parts;
  store.dispatch({ kind: 'edit', edit: { kind: 'sent' }, atMs: nowMs() });
  if (choice.kind === 'reject') store.dispatch({ kind: 'files-accepted', paths: choice.accepts ?? [] });
  store.dispatch({ kind: 'deciding', reviewId, deciding: true });
  // Tests run for an edit. If no run waits for the review, these tests are a run of their own, which can be stopped.
  const isRun = choice.kind === 'reject' && choice.edits !== undefined && store.current.run.kind === 'idle';
  try {
    // The model reads queued messages together with the reason.
    if (isRun) store.dispatch({ kind: 'run-started', atMs: nowMs(), command: true });
    else if (choice.kind === 'reject' && store.current.run.kind === 'running') await queue.joinRun();
    const { outcome } = await decide({ review_id: reviewId, kind, message, diff, sha256 }, choice);
    // The run that requested the review has ended meanwhile: a new one continues with the reason, as the card said.
    if (kind === 'mode') queue.sendNext();
    else if (outcome === 'rejected' && (isRun || store.current.run.kind === 'idle')) queue.goOn();
    return true;
  } catch (error) {
    if (isRun) store.dispatch({ kind: 'command-ended' });
    // The answer comes when the run has ended, which can exceed the time limit of a request. An event reports the decision itself.
    if (store.current.card?.reviewId !== reviewId) return true;
    store.dispatch({ kind: 'deciding', reviewId, deciding: false });
    failed(error);
    return false;
  }
}
