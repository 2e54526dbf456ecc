import { LENIENCIES } from '../../../lib/edits/match-lines.ts';
import type { Leniency } from '../../../lib/edits/match-lines.ts';

const WORDS: Readonly<Record<Leniency, string>> = {
  line_numbers: 'line numbers, which are no part of it',
  trailing_blanks: 'blanks at line ends',
  indentation: 'indentation',
  unicode: 'typographic characters or indentation',
  anchor_lines: 'lines that it does not change',
};

/** The note that a text was not found exactly; no note if all were. */
export function describeLeniency(matched: readonly Leniency[]): { readonly note?: string } {
  const loosest = LENIENCIES.findLast((how) => matched.includes(how));
  if (loosest === undefined) return {};
  return { note: `the old text differs from the file in ${WORDS[loosest]}; its one place was taken` };
}
