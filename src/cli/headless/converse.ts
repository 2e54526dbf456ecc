import type { Readable } from 'node:stream';
import { assertNever } from '../../lib/assert-never.ts';
import type { ShownReview } from '../review/decide-review.ts';
import type { InputLine } from './input-lines.ts';
import { readInputLines } from './input-lines.ts';
import type { RunWatch } from './run-watch.ts';

/** What a conversation does to its session. */
export interface ConversationDoor {
  /** Sends a message; its run's end shows on the watch. */
  send(text: string): Promise<void>;
  interrupt(signal: 'interrupt' | 'unattended'): Promise<void>;
  /** Decides the review that the run under way waits with, or without one that of an earlier run. False when none waits. */
  decide(shown: ShownReview | null, line: DecisionLine): Promise<'decided' | 'rejected' | 'nothing-waits'>;
  /** A line that could not be used, and why. */
  onSkipped(why: string): void;
}

export type DecisionLine = Extract<InputLine, { type: 'approve' | 'reject' }>;

/**
 * `--input-format stream-json`: carries out the lines in order. A message waits for the run of the one before it, a decision for the review it is about. When the
 * input is at its end nobody is left to decide: a review that still waits ends the run as `waiting`. Resolves when the last run has ended.
 */
export async function converse(
  stdin: Readable,
  firstTask: string,
  watch: RunWatch,
  door: ConversationDoor,
): Promise<void> {
  if (firstTask !== '') await door.send(firstTask);
  for await (const line of readInputLines(stdin, (why) => door.onSkipped(why))) {
    switch (line.type) {
      case 'message':
        while (watch.busy) await watch.change();
        await door.send(line.text);
        break;
      case 'interrupt':
        await door.interrupt('interrupt');
        break;
      case 'approve':
      case 'reject':
        await decideWhenAsked(watch, door, line);
        break;
      default:
        assertNever(line);
    }
  }
  while (watch.busy) {
    if (watch.review !== null) await door.interrupt('unattended');
    if (watch.busy) await watch.change();
  }
}

async function decideWhenAsked(watch: RunWatch, door: ConversationDoor, line: DecisionLine): Promise<void> {
  while (watch.busy && watch.review === null) await watch.change();
  const { review } = watch;
  const outcome = await door.decide(review === null ? null : { ...review, message: review.message ?? '' }, line);
  if (outcome === 'nothing-waits') door.onSkipped(`no review waits for the line "${line.type}"`);
  // A run that waited goes on by itself; a change that was left waiting needs a run to be mended in.
  if (outcome === 'rejected' && review === null) await door.send('Go on: mend what was rejected.');
}
