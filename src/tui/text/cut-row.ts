import stringWidth from 'string-width';
import { graphemesOf } from '../store/wrap-rows.ts';
import type { SafeText } from '../store/safe-text.ts';
import { own } from './span.ts';
import type { Row, Span } from './span.ts';

export function rowCells(row: Row): number {
  return stringWidth(row.map(({ text }) => text).join(''));
}

/** The row, or its beginning with `…` where it is wider than the terminal. */
export function cutRow(row: Row, width: number): Row {
  if (rowCells(row) <= width) return row;
  const kept: Span[] = [];
  let left = Math.max(0, width - 1);
  for (const span of row) {
    let text = '';
    for (const { text: character } of graphemesOf(span.text)) {
      const cells = stringWidth(character);
      if (cells > left) return [...kept, { ...span, text: text as SafeText }, own('…', 'dim')];
      text += character;
      left -= cells;
    }
    kept.push(span);
  }
  return kept;
}
