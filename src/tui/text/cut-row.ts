import stringWidth from 'string-width';
import { graphemesOf } from '../../lib/text/graphemes.ts';
import type { SafeText } from '../store/safe-text.ts';
import { own } from './span.ts';
import type { Row, Span } from './span.ts';

export function rowCells(row: Row): number {
  return stringWidth(row.map(({ text }) => text).join(''));
}

/** The row, or its beginning with `…` if it is wider than the terminal; `cells` measures a text. */
export function cutRow(row: Row, width: number, cells: (text: string) => number = stringWidth): Row {
  if (row.reduce((sum, { text }) => sum + cells(text), 0) <= width) return row;
  const kept: Span[] = [];
  let left = Math.max(0, width - 1);
  for (const span of row) {
    let text = '';
    for (const { text: character } of graphemesOf(span.text)) {
      const needed = cells(character);
      if (needed > left) return [...kept, { ...span, text: text as SafeText }, own('…', 'dim')];
      text += character;
      left -= needed;
    }
    kept.push(span);
  }
  return kept;
}
