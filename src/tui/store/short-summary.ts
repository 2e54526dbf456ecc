import type { FluffyEvent } from '../../contracts/events.ts';
import type { Diff } from './diff-lines.ts';
import { safeLine } from './safe-text.ts';
import type { SafeText } from './safe-text.ts';

const MAX = 200;

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
    return safeLine(message === toldWhy ? code : cap(`${code}: ${firstSentence(message)}`));
  }
  if (diff !== null) return safeLine(`+${diff.added} -${diff.removed}`);
  if (tested) return safeLine(/\([^()]*\)$/.exec(event.summary)?.[0] ?? '');
  const summary = safeLine(event.summary);
  const rest = target === '' ? summary : summary.replace(target, '').replace(/^[\s:,]+|[\s:,]+$/g, '');
  return safeLine(cap(rest));
}

function firstSentence(text: string): string {
  return /^.*?[.:;](?=\s|$)/s.exec(text)?.[0] ?? text;
}

function cap(text: string): string {
  return text.length > MAX ? `${text.slice(0, MAX - 1).toWellFormed()}…` : text;
}
