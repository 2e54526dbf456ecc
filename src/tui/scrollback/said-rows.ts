import type { SafeText } from '../store/safe-text.ts';
import { widestCells } from '../text/cells.ts';
import { hangingRows } from '../text/hanging-rows.ts';
import { own } from '../text/span.ts';
import type { Role, Row, Span } from '../text/span.ts';

/** Text of somebody is this far in: the first column is for rows of fluffy and what the person has typed. */
export const INDENT = '  ';

/** Lines of text, each in as many rows as it needs, with a mark before the first; the others begin below the text of the first. */
export function saidRows(lines: readonly SafeText[], role: Role, width: number, mark: Span = own(INDENT)): Row[] {
  const rest = [own(' '.repeat(widestCells(mark.text)))];
  return lines.flatMap((text, index) => {
    const first = index === 0 ? [mark] : rest;
    return hangingRows([{ text, role }], { first, rest, breakAt: 'blank' }, width);
  });
}
