import stringWidth from 'string-width';
import { graphemesOf } from '../../lib/text/graphemes.ts';

const ONE_CELL_EACH = /^[ -~]*$/;
const MARKS = /^[\p{M}\u{fe0f}]$/u;

/**
 * The maximum number of cells that a terminal gives a text. Terminals differ about emoji of several characters, which some draw one by one, and about
 * characters that are wide in some fonts. A row that is counted too short is wrapped by the terminal, without Fluffy's margin.
 */
export function widestCells(text: string): number {
  if (ONE_CELL_EACH.test(text)) return text.length;
  let cells = 0;
  for (const { text: grapheme } of graphemesOf(text)) cells += widestGrapheme(grapheme);
  return cells;
}

function widestGrapheme(grapheme: string): number {
  if (ONE_CELL_EACH.test(grapheme)) return grapheme.length;
  const characters = [...grapheme].filter((each) => !MARKS.test(each));
  const apart = characters.reduce((sum, each) => sum + stringWidth(each, { ambiguousIsNarrow: false }), 0);
  // In some scripts a vowel sign after another character takes a cell of its own.
  const together = stringWidth(grapheme, { ambiguousIsNarrow: false });
  return Math.max(apart, together, grapheme.includes('\u{fe0f}') ? 2 : 0, characters.length === 0 ? 1 : 0);
}
