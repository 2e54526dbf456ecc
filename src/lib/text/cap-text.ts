import { graphemesOf } from './graphemes.ts';

const ELLIPSIS = '…';
/** Longer sequences are artificial and may be cut. */
const LONGEST_CHARACTER = 64;

/** At most `maxLength` UTF-16 units of well-formed text. A cut is shown as `…`, and no visible character is cut in half. */
export function capText(text: string, maxLength: number): string {
  const wellFormed = text.toWellFormed();
  if (wellFormed.length <= maxLength) return wellFormed;
  const end = maxLength - ELLIPSIS.length;
  const from = Math.max(0, end - LONGEST_CHARACTER);
  let cut = from;
  for (const { text: character, at } of graphemesOf(wellFormed.slice(from, end + LONGEST_CHARACTER))) {
    if (from + at + character.length > end) break;
    cut = from + at + character.length;
  }
  const kept = wellFormed.slice(0, cut > from || from === 0 ? cut : end);
  return (kept.isWellFormed() ? kept : kept.slice(0, -1)) + ELLIPSIS;
}
