import type { EventOf } from '../../../contracts/session/events.ts';
import { outcomeWords } from '../../../lib/text/call-words.ts';
import type { Diff } from '../../diff/read-diff.ts';
import { safeLine } from '../safe-text.ts';
import type { SafeText } from '../safe-text.ts';

interface Ended {
  readonly event: EventOf<'tool.finished'>;
  readonly target: SafeText;
  readonly diff: Diff | null;
  /** Whether the counts of a test run are shown below it. */
  readonly tested: boolean;
  /** The reason in the last notice. */
  readonly shownReason: string | null;
}

/**
 * The text next to a finished call, without the words that its line already shows. For an error, people see only its kind. The model
 * gets the whole message, with advice what to do instead.
 */
export function shortSummary({ event, target, diff, tested, shownReason }: Ended): SafeText {
  if (event.error !== undefined) {
    const { code, message } = event.error;
    return safeLine(message === shownReason ? code : outcomeWords(event));
  }
  if (diff !== null) return safeLine(`+${diff.added} -${diff.removed}`);
  if (tested) return safeLine(/\([^()]*\)$/.exec(event.summary)?.[0] ?? '');
  const summary = safeLine(outcomeWords(event));
  const rest = target === '' ? summary : summary.replace(target, '').replace(/^[\s:,]+|[\s:,]+$/g, '');
  return rest as SafeText;
}
