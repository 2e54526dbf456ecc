import { ownValue } from '../../../lib/own-value.ts';
import { lineEnd, lineStart } from './motions.ts';
import type { Characters } from './motions.ts';

/** Indexes; the end is excluded. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

const PAIRS: Readonly<Record<string, readonly [string, string]>> = {
  '(': ['(', ')'],
  ')': ['(', ')'],
  b: ['(', ')'],
  '[': ['[', ']'],
  ']': ['[', ']'],
  '{': ['{', '}'],
  '}': ['{', '}'],
  B: ['{', '}'],
  '<': ['<', '>'],
  '>': ['<', '>'],
};

/** The range of `iw`, `a"` or `i(` around a character; null if there is none. Pure. */
export function textObject(characters: Characters, at: number, keys: string): Range | null {
  const [how = '', what = ''] = keys;
  const inner = how === 'i';
  if (what === 'w' || what === 'W') return wordAround(characters, at, { inner, big: what === 'W' });
  const pair = ownValue(PAIRS, what);
  const around = pair === undefined ? quotesAround(characters, at, what) : pairAround(characters, at, pair);
  if (around === null) return null;
  return inner ? { from: around.from + 1, to: around.to - 1 } : around;
}

function wordAround(characters: Characters, at: number, { inner, big }: { inner: boolean; big: boolean }): Range {
  const kindOf = (index: number): string => {
    const text = characters[index]?.text ?? '\n';
    if (/^\s/u.test(text)) return text === '\n' ? 'line' : 'blank';
    return big || /^[\p{L}\p{N}_]/u.test(text) ? 'word' : 'other';
  };
  let from = at;
  let to = at;
  while (from > 0 && kindOf(from - 1) === kindOf(at)) from -= 1;
  while (to < characters.length && kindOf(to) === kindOf(at)) to += 1;
  if (inner) return { from, to };
  const end = to;
  while (kindOf(to) === 'blank') to += 1;
  while (to === end && from > 0 && kindOf(from - 1) === 'blank') from -= 1;
  return { from, to };
}

/** Within one line, counted from its beginning. */
function quotesAround(characters: Characters, at: number, quote: string): Range | null {
  if (!/^["'`]$/.test(quote)) return null;
  const [first, end] = [lineStart(characters, at), lineEnd(characters, at)];
  const places: number[] = [];
  for (let index = first; index < end; index += 1) if (characters[index]?.text === quote) places.push(index);
  for (let index = 0; index + 1 < places.length; index += 2) {
    const [from = 0, to = 0] = places.slice(index, index + 2);
    if (to >= at) return { from, to: to + 1 };
  }
  return null;
}

function pairAround(characters: Characters, at: number, [open, close]: readonly [string, string]): Range | null {
  const from = outward(characters, characters[at]?.text === close ? at - 1 : at, -1, [open, close]);
  if (from === null) return null;
  const to = outward(characters, from + 1, 1, [close, open]);
  return to === null ? null : { from, to: to + 1 };
}

/** The next `wanted` that is not closed by a pair in between. */
function outward(
  characters: Characters,
  start: number,
  step: -1 | 1,
  [wanted, other]: readonly [string, string],
): number | null {
  let depth = 0;
  for (let at = start; at >= 0 && at < characters.length; at += step) {
    const text = characters[at]?.text;
    if (text === wanted && depth === 0) return at;
    if (text === wanted) depth -= 1;
    // The character at the cursor belongs to the wanted pair.
    else if (text === other && at !== start) depth += 1;
  }
  return null;
}
