import type { Readable } from 'node:stream';
import { assertNever } from '../../lib/assert-never.ts';
import type { ShownReview } from '../review/decide-review.ts';
import type { InputLine } from './input-lines.ts';
import { readInputLines } from './input-lines.ts';
import type { RunWatch } from './run-watch.ts';

/** The effects of input lines on the session. */
export interface ConversationActions {
  /** Aborted when the process was requested to end: nothing more is sent then. */
  readonly stopped: AbortSignal;
  /** Sends a message; the watch shows when its run ends. */
  send(text: string): Promise<void>;
  interrupt(signal: 'interrupt' | 'unattended'): Promise<void>;
  /** Decides the review that the current run waits for; without a run, one that an earlier run left. */
  decide(shown: ShownReview | null, line: DecisionLine): Promise<'decided' | 'rejected' | 'nothing-waits'>;
  /** A line that could not be used, and why. */
  onSkipped(why: string): void;
}

export type DecisionLine = Extract<InputLine, { type: 'approve' | 'reject' }>;

/**
 * `--input-format stream-json`: applies the lines in order. A message waits for the run of the previous one, a decision waits for its review. After
 * the end of the input no decision can come: a review that still waits ends the run as `waiting`. Resolves when the last run has ended.
 */
export async function converse(
  stdin: Readable,
  firstTask: string,
  watch: RunWatch,
  actions: ConversationActions,
): Promise<void> {
  if (firstTask !== '') await actions.send(firstTask);
  for await (const line of readInputLines(stdin, (why) => actions.onSkipped(why))) {
    switch (line.type) {
      case 'message':
        while (watch.busy) await watch.change();
        if (actions.stopped.aborted) return;
        await actions.send(line.text);
        break;
      case 'interrupt':
        await actions.interrupt('interrupt');
        break;
      case 'approve':
      case 'reject':
        await decideWhenAsked(watch, actions, line);
        break;
      default:
        assertNever(line);
    }
  }
  while (watch.busy) {
    if (watch.review !== null) await actions.interrupt('unattended');
    if (watch.busy) await watch.change();
  }
}

async function decideWhenAsked(watch: RunWatch, actions: ConversationActions, line: DecisionLine): Promise<void> {
  while (watch.busy && watch.review === null) await watch.change();
  const { review } = watch;
  const outcome = await actions.decide(review === null ? null : { ...review, message: review.message ?? '' }, line);
  if (outcome === 'nothing-waits') actions.onSkipped(`no review waits for the line "${line.type}"`);
  // A waiting run continues by itself; a change left by an earlier run needs a new run to be fixed.
  if (outcome === 'rejected' && review === null) await actions.send('Continue: fix what was rejected.');
}
