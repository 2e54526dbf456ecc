import { spelledPieces } from '../../lib/text/escape-terminal.ts';
import type { SafeText } from '../store/safe-text.ts';
import { lookAlikesIn } from '../store/mixed-alphabets.ts';
import { cutPieces } from './cut-pieces.ts';
import type { Range } from './cut-pieces.ts';
import type { RawPiece, Span } from './span.ts';

/** Blanks at the end, long runs of blanks in a line, and very deep indentations: text after them could be overlooked. */
const NOTABLE_BLANKS = /[ \t]+$|(?<=[^ \t])[ \t]{8,}|^[ \t]{40,}/gu;
const BLANK_MARK = '·';
const TAB_MARK = '→ ';

/** Other Unicode blanks look like ordinary ones, but no compiler treats them so. */
const OTHER_BLANKS = /(?! )\p{Zs}/u;

/**
 * One line as a person must see it before an approval: nothing in it controls the terminal, and nothing is invisible. Characters that are shown by
 * their code or by a mark have roles of their own.
 */
export function spellOut(pieces: readonly RawPiece[]): Span[] {
  const line = pieces.map(({ raw }) => raw).join('');
  const marked = cutPieces(pieces, lookAlikesIn(line), (piece) => ({ ...piece, role: 'look-alike' }));
  const visible = cutPieces(marked, rangesOf(line, NOTABLE_BLANKS), (piece) => ({ ...piece, role: 'blank' }));
  return visible.flatMap(spellPiece);
}

function rangesOf(line: string, pattern: RegExp): Range[] {
  return [...line.matchAll(pattern)].map(({ 0: { length }, index }) => ({ from: index, to: index + length }));
}

function spellPiece({ raw, role, ground }: RawPiece): Span[] {
  const span = (text: string, as: Span['role']): Span => ({ text: text as SafeText, role: as, ground });
  if (role === 'blank') return [span(raw.replaceAll(' ', BLANK_MARK).replaceAll('\t', TAB_MARK), 'blank')];
  return raw.split(/(\t)/).flatMap((part): Span[] => {
    if (part === '\t') return [span(TAB_MARK, 'blank')];
    return spelledPieces(part, OTHER_BLANKS).map(({ text, spelled }) => span(text, spelled ? 'spelled' : role));
  });
}
