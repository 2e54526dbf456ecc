import { graphemesOf } from '../../../lib/text/graphemes.ts';

/** A text as user-perceived characters. */
export type Characters = readonly { readonly text: string; readonly at: number }[];

export function charactersOf(text: string): Characters {
  return graphemesOf(text);
}

export interface Motion {
  /** Index of a character. */
  readonly to: number;
  /** What an operator includes: up to `to`, including it, or whole lines. */
  readonly takes: 'before' | 'with' | 'lines';
}

type Kind = 'blank' | 'word' | 'other';

/** For `big` words only blanks separate. */
function kindAt(characters: Characters, index: number, big: boolean): Kind {
  const text = characters[index]?.text ?? ' ';
  if (/^\s/u.test(text)) return 'blank';
  return big || /^[\p{L}\p{N}_]/u.test(text) ? 'word' : 'other';
}

export function lineStart(characters: Characters, from: number): number {
  let at = from;
  while (at > 0 && characters[at - 1]?.text !== '\n') at -= 1;
  return at;
}

/** Index of the line feed, or the end. */
export function lineEnd(characters: Characters, from: number): number {
  let at = from;
  while (at < characters.length && characters[at]?.text !== '\n') at += 1;
  return at;
}

export function firstText(characters: Characters, from: number): number {
  const end = lineEnd(characters, from);
  let at = lineStart(characters, from);
  while (at < end && kindAt(characters, at, true) === 'blank') at += 1;
  return at;
}

function nextWord(characters: Characters, from: number, big: boolean): number {
  let at = from;
  const kind = kindAt(characters, at, big);
  while (kind !== 'blank' && at < characters.length && kindAt(characters, at, big) === kind) at += 1;
  while (at < characters.length && kindAt(characters, at, big) === 'blank') at += 1;
  return at;
}

function wordEnd(characters: Characters, from: number, big: boolean): number {
  let at = from + 1;
  while (at < characters.length && kindAt(characters, at, big) === 'blank') at += 1;
  const kind = kindAt(characters, at, big);
  while (at + 1 < characters.length && kindAt(characters, at + 1, big) === kind) at += 1;
  return Math.min(at, Math.max(0, characters.length - 1));
}

function wordBefore(characters: Characters, from: number, big: boolean): number {
  let at = from - 1;
  while (at > 0 && kindAt(characters, at, big) === 'blank') at -= 1;
  const kind = kindAt(characters, at, big);
  while (at > 0 && kindAt(characters, at - 1, big) === kind) at -= 1;
  return Math.max(0, at);
}

/** The position of the `count`th occurrence of a character in the line; null if there are fewer. */
function found(characters: Characters, from: number, keys: string, count: number): Motion | null {
  const [how = '', ...rest] = keys;
  const wanted = rest.join('');
  const step = how === 'f' || how === 't' ? 1 : -1;
  const [first, last] = [lineStart(characters, from), lineEnd(characters, from)];
  let left = count;
  // A second `t` would find the same position again.
  for (let at = from + step * (how.toLowerCase() === 't' ? 2 : 1); at >= first && at < last; at += step) {
    if (characters[at]?.text === wanted) left -= 1;
    if (left === 0) {
      const to = how.toLowerCase() === 't' ? at - step : at;
      return { to, takes: step === 1 ? 'with' : 'before' };
    }
  }
  return null;
}

function repeated(from: number, count: number, step: (at: number) => number): number {
  let at = from;
  for (let times = 0; times < count; times += 1) at = step(at);
  return at;
}

function lineBeside(characters: Characters, from: number, step: -1 | 1): number {
  if (step === -1) return Math.max(0, lineStart(characters, from) - 1);
  return Math.min(characters.length, lineEnd(characters, from) + 1);
}

/** The result of a motion; null if it is impossible or no motion. Pure. */
export function moveBy(characters: Characters, from: number, keys: string, count: number): Motion | null {
  const big = /^[WBE]$/.test(keys);
  switch (keys) {
    case 'h':
      return { to: Math.max(lineStart(characters, from), from - count), takes: 'before' };
    case 'l':
    case ' ':
      return { to: Math.min(lineEnd(characters, from), from + count), takes: 'before' };
    case 'w':
    case 'W':
      return { to: repeated(from, count, (at) => nextWord(characters, at, big)), takes: 'before' };
    case 'e':
    case 'E':
      return { to: repeated(from, count, (at) => wordEnd(characters, at, big)), takes: 'with' };
    case 'b':
    case 'B':
      return { to: repeated(from, count, (at) => wordBefore(characters, at, big)), takes: 'before' };
    case '0':
      return { to: lineStart(characters, from), takes: 'before' };
    case '^':
      return { to: firstText(characters, from), takes: 'before' };
    case '$':
      return {
        to: lineEnd(
          characters,
          repeated(from, count - 1, (at) => lineBeside(characters, at, 1)),
        ),
        takes: 'before',
      };
    case 'j':
    case 'k':
      return { to: repeated(from, count, (at) => lineBeside(characters, at, keys === 'j' ? 1 : -1)), takes: 'lines' };
    case 'gg':
      return { to: 0, takes: 'lines' };
    case 'G':
      return { to: characters.length, takes: 'lines' };
    default:
      return /^[fFtT]/.test(keys) ? found(characters, from, keys, count) : null;
  }
}
