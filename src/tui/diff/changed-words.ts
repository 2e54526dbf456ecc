import { diffWordsWithSpace } from 'diff';
import type { Range } from '../text/cut-pieces.ts';

export interface ChangedWords {
  readonly removed: readonly Range[];
  readonly added: readonly Range[];
}

/** Longer lines cost more to compare than the marks are worth. */
const MAX_LINE = 500;
/** Lines with less in common are different lines, and marks in them would be meaningless. */
const MIN_COMMON = 0.4;

/** Which words of a line differ from the line that it replaces; null if the lines have too little in common. */
export function changedWords(before: string, after: string): ChangedWords | null {
  if (before.length > MAX_LINE || after.length > MAX_LINE) return null;
  const removed: Range[] = [];
  const added: Range[] = [];
  let old = 0;
  let fresh = 0;
  let common = 0;
  for (const part of diffWordsWithSpace(before, after)) {
    const { length } = part.value;
    if (part.added) added.push({ from: fresh, to: fresh + length });
    else if (part.removed) removed.push({ from: old, to: old + length });
    else common += part.value.trim().length;
    if (!part.added) old += length;
    if (!part.removed) fresh += length;
  }
  const longest = Math.max(before.trim().length, after.trim().length);
  return longest > 0 && common / longest >= MIN_COMMON ? { removed, added } : null;
}
