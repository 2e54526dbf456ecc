import stringWidth from 'string-width';
import type { SafeText } from '../store/safe-text.ts';
import { widestCells } from '../text/cells.ts';
import { hangingRows } from '../text/hanging-rows.ts';
import { own } from '../text/span.ts';
import type { Role, Row, Span } from '../text/span.ts';

/** Indentation of foreign text: the first column is for Fluffy's rows and for what the person has typed. */
export const INDENT = '  ';

/** Lines of text, each in as many rows as it needs, with a mark before the first; the others are aligned with the text of the first. */
export function saidRows(lines: readonly SafeText[], role: Role, width: number, mark: Span = own(INDENT)): Row[] {
  // Fonts in which the mark is wide are rare.
  const rest = [own(' '.repeat(stringWidth(mark.text)))];
  return lines.flatMap((text, index) => {
    const first = index === 0 ? [mark] : rest;
    return hangingRows([{ text, role }], { first, rest, breakAt: 'blank' }, width);
  });
}

/** The first column of a line, with the blanks after it. */
const FIRST_COLUMN = /^\s*\S.*?\s{2,}(?=\S)/;

/** Lines of an answer. A line with columns or an indentation continues below its last column, if the first one takes at most half of the row. */
export function answerRows(lines: readonly SafeText[], width: number): Row[] {
  return lines.flatMap((line) => {
    const found = FIRST_COLUMN.exec(line)?.[0] ?? /^\s*/.exec(line)?.[0] ?? '';
    const head = (widestCells(found) <= width / 2 ? found : '') as SafeText;
    const first = [own(INDENT), { text: head, role: 'plain' } as const];
    const rest = [own(INDENT), own(' '.repeat(widestCells(head)))];
    const text = line.slice(head.length) as SafeText;
    return hangingRows([{ text, role: 'plain' }], { first, rest, breakAt: 'blank' }, width);
  });
}
