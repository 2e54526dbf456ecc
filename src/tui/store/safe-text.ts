import { escapeTerminal } from '../../lib/text/escape-terminal.ts';

declare const mark: unique symbol;

/**
 * One line of text without terminal control sequences. Only the functions of this file create it, so every `SafeText` has
 * been escaped by them: text of models, tools, files, policies, and what the user pasted.
 */
export type SafeText = string & { readonly [mark]: true };

const TAB = '  ';

/** Blanks of Unicode: words behind one would not be wrapped, so that text could choose what a row begins with. */
const OTHER_BLANKS = /(?! )\p{Zs}/gu;
/** Frames are drawn with these, by fluffy. */
const BOX_DRAWING = /[\u2500-\u257f]/gu;
const HORIZONTAL = '─━┄┅┈┉╌╍═╴╶╸╺╼╾';
const VERTICAL = '│┃┆┇┊┋╎╏║╵╷╹╻╽╿';

/** A single line of somebody's text; line breaks in it are escaped, frames in it become ASCII. */
export function safeLine(text: string): SafeText {
  return exactLine(text.replace(OTHER_BLANKS, ' ').replace(BOX_DRAWING, inAscii));
}

/** The lines of a text. Tabs become spaces, because the width of a tab depends on its column. A final line feed ends the last line. */
export function safeLines(text: string): SafeText[] {
  const lines = text.split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines.map(safeLine);
}

/** A single line with every character that can be shown: fluffy's own words, source text behind a margin, and what is being typed. */
export function exactLine(text: string): SafeText {
  return escapeTerminal(text.replaceAll('\t', TAB)) as SafeText;
}

function inAscii(character: string): string {
  if (HORIZONTAL.includes(character)) return '-';
  return VERTICAL.includes(character) ? '|' : '+';
}
