import type { FluffyEvent } from '../../contracts/events.ts';
import { outcomeWords } from '../../lib/call-words.ts';
import type { Diff } from './diff-lines.ts';
import { safeLine } from './safe-text.ts';
import type { SafeText } from './safe-text.ts';

interface Ended {
  readonly event: Extract<FluffyEvent, { type: 'tool.finished' }>;
  readonly target: SafeText;
  readonly diff: Diff | null;
  /** Whether the counts of a test run stand below it. */
  readonly tested: boolean;
  /** What a notice has just said. */
  readonly toldWhy: string | null;
}

/**
 * What stands beside a call that has ended, without what the line says already. Of an error people read what it is; the model gets the
 * whole message with what to do instead.
 */
export function shortSummary({ event, target, diff, tested, toldWhy }: Ended): SafeText {
  if (event.error !== undefined) {
    const { code, message } = event.error;
    return safeLine(message === toldWhy ? code : outcomeWords(event));
  }
  if (diff !== null) return safeLine(`+${diff.added} -${diff.removed}`);
  if (tested) return safeLine(/\([^()]*\)$/.exec(event.summary)?.[0] ?? '');
  const summary = safeLine(outcomeWords(event));
  const rest = target === '' ? summary : summary.replace(target, '').replace(/^[\s:,]+|[\s:,]+$/g, '');
  return rest as SafeText;
}
