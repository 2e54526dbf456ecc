import { graphemesOf } from '../../lib/text/graphemes.ts';
import type { SafeText } from '../store/safe-text.ts';
import { widestCells } from './cells.ts';
import type { Row, Span } from './span.ts';

export interface Hanging {
  /** The beginning of the first row. */
  readonly first: Row;
  /** The beginning of continuation rows; as wide as that of the first. */
  readonly rest: Row;
  /** Where a row may end: after any character, or after a blank if possible. */
  readonly breakAt: 'character' | 'blank';
}

/**
 * Foreign text after a margin, in rows of at most `width` cells. The margin is on every row, so that no text reaches the column in which Fluffy's
 * rows begin. Pure. Joined again, the text after the margins is the original, except for blanks at which a row ended.
 */
export function hangingRows(text: readonly Span[], { first, rest, breakAt }: Hanging, width: number): Row[] {
  const room = Math.max(2, width - widestCells(first.map((span) => span.text).join('')));
  return cutLine(text, room, breakAt).map((spans, index) => [...(index === 0 ? first : rest), ...spans]);
}

function cutLine(text: readonly Span[], room: number, breakAt: Hanging['breakAt']): Row[] {
  if (widestCells(text.map((span) => span.text).join('')) <= room) return [text];
  const rows: Span[][] = [];
  let row: Span[] = [];
  let used = 0;
  const end = () => {
    const carried = breakAt === 'blank' ? takeLastWord(row) : [];
    rows.push(row);
    row = carried;
    used = row.reduce((sum, span) => sum + widestCells(span.text), 0);
  };
  for (const span of text) {
    for (const part of charactersOf(span.text)) {
      const cells = widestCells(part);
      // The row ends at this blank, which is not drawn.
      const isBreak = breakAt === 'blank' && part === ' ' && used + cells > room;
      if (isBreak) {
        rows.push(row);
        row = [];
        used = 0;
        continue;
      }
      if (used + cells > room && used > 0) end();
      // Even after a word was moved to the next row, the text may not fit.
      if (used + cells > room && used > 0) {
        rows.push(row);
        row = [];
        used = 0;
      }
      append(row, span, part);
      used += cells;
    }
  }
  rows.push(row);
  return rows;
}

function charactersOf(text: string): string[] {
  return graphemesOf(text).map((grapheme) => grapheme.text);
}

function append(row: Span[], span: Span, part: string): void {
  const last = row.at(-1);
  if (last !== undefined && last.role === span.role && last.ground === span.ground && last.link === span.link)
    row[row.length - 1] = { ...last, text: `${last.text}${part}` as SafeText };
  else row.push({ ...span, text: part as SafeText });
}

/** Removes the text after the last blank of a row; empty if there is no blank. */
function takeLastWord(row: Span[]): Span[] {
  for (let index = row.length - 1; index >= 0; index -= 1) {
    const span = row[index];
    if (span === undefined) break;
    const blank = span.text.lastIndexOf(' ');
    if (blank === -1) continue;
    const kept = span.text.slice(0, blank + 1) as SafeText;
    const carried = span.text.slice(blank + 1) as SafeText;
    const rest = row.splice(index + 1);
    row[index] = { ...span, text: kept };
    return [...(carried === '' ? [] : [{ ...span, text: carried }]), ...rest];
  }
  return [];
}
