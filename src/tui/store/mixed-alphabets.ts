import { plural } from '../../lib/text/plural.ts';
import { safeLine } from './safe-text.ts';
import type { SafeText } from './safe-text.ts';

const MAX_NAMED = 5;
const WORD = /[\p{L}\p{M}\p{N}_$]+/gu;
/** Alphabets with letters that look like Latin ones. Greek letters without a look-alike (Δ, σ, μ) are common names in formulas. */
const LOOK_ALIKES =
  /[\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}αικνορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]/u;
const EACH_LOOK_ALIKE = new RegExp(LOOK_ALIKES, 'gu');

/** Words of a change that mix Latin letters with look-alikes: such a name looks like another one, but differs. */
export function mixedAlphabets(text: string): SafeText[] {
  const mixed = new Set<string>();
  for (const [word] of text.matchAll(WORD)) {
    if (/\p{Script=Latin}/u.test(word) && LOOK_ALIKES.test(word)) mixed.add(word);
  }
  const named = [...mixed]
    .slice(0, MAX_NAMED)
    .map((word) => safeLine(`Mixed alphabets: ${word} is spelled ${spelled(word)}.`));
  const more = mixed.size - named.length;
  return more > 0 ? [...named, safeLine(`… and ${plural(more, 'more word')} of this kind.`)] : named;
}

/** The positions in a line of letters that look Latin but are not, in words that contain both. */
export function lookAlikesIn(line: string): { readonly from: number; readonly to: number }[] {
  if (!LOOK_ALIKES.test(line)) return [];
  const found: { from: number; to: number }[] = [];
  for (const { 0: word, index } of line.matchAll(WORD)) {
    if (!/\p{Script=Latin}/u.test(word) || !LOOK_ALIKES.test(word)) continue;
    for (const { 0: letter, index: within } of word.matchAll(EACH_LOOK_ALIKE)) {
      found.push({ from: index + within, to: index + within + letter.length });
    }
  }
  return found;
}

/** Writes letters outside of ASCII by their numbers. */
function spelled(word: string): string {
  return [...word.slice(0, 80)]
    .map((letter) => (letter <= '\u007f' ? letter : `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`))
    .join('');
}
