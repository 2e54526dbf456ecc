import { graphemesOf } from '../../lib/text/graphemes.ts';

/** Maximum length of one visible character, so that moving over one does not read the whole text. */
const LONGEST_CHARACTER = 64;

export function before(text: string, cursor: number): number {
  const from = Math.max(0, cursor - LONGEST_CHARACTER);
  return from + (graphemesOf(text.slice(from, cursor)).at(-1)?.at ?? 0);
}

export function after(text: string, cursor: number): number {
  return cursor + (graphemesOf(text.slice(cursor, cursor + LONGEST_CHARACTER))[0]?.text.length ?? 0);
}

export function wordStart(text: string, cursor: number): number {
  return cursor - (/\S*\s*$/.exec(text.slice(0, cursor))?.[0].length ?? 0);
}

export function lineStart(text: string, cursor: number): number {
  return cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1;
}

export function lineEnd(text: string, cursor: number): number {
  const end = text.indexOf('\n', cursor);
  return end === -1 ? text.length : end;
}

/** Same column, one line up or down. */
export function vertical(text: string, cursor: number, step: -1 | 1): number {
  const start = lineStart(text, cursor);
  const column = graphemesOf(text.slice(start, cursor)).length;
  const target = step === -1 ? lineStart(text, start - 1) : lineEnd(text, cursor) + 1;
  const line = graphemesOf(text.slice(target, lineEnd(text, target)));
  return line[column] === undefined ? lineEnd(text, target) : target + line[column].at;
}

/** The position after a motion. */
export function placeAfter(
  motion: 'left' | 'right' | 'word-left' | 'word-right' | 'line-start' | 'line-end',
  text: string,
  cursor: number,
): number {
  switch (motion) {
    case 'left':
      return before(text, cursor);
    case 'right':
      return after(text, cursor);
    case 'word-left':
      return wordStart(text, cursor);
    case 'word-right':
      return cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0);
    case 'line-start':
      return lineStart(text, cursor);
    case 'line-end':
      return lineEnd(text, cursor);
  }
}
