import { escapeTerminal } from '../../lib/text/escape-terminal.ts';

declare const mark: unique symbol;

/**
 * One line of text without terminal control sequences. Only the functions of this file create this type. They escape the text
 * of models, tools, files and policies, and text that the user pasted.
 */
export type SafeText = string & { readonly [mark]: true };

const TAB = '  ';

/** Unicode blanks other than the space. Lines do not wrap at them, so untrusted text could choose where a row begins. */
const OTHER_BLANKS = /(?! )\p{Zs}/gu;
/** Only Fluffy draws frames with these characters; in untrusted text they become ASCII. */
const BOX_DRAWING = /[\u2500-\u257f]/gu;
const HORIZONTAL = '─━┄┅┈┉╌╍═╴╶╸╺╼╾';
const VERTICAL = '│┃┆┇┊┋╎╏║╵╷╹╻╽╿';

/** Untrusted text as a single line: line breaks are escaped, characters of frames become ASCII. */
export function safeLine(text: string): SafeText {
  return exactLine(text.replace(OTHER_BLANKS, ' ').replace(BOX_DRAWING, inAscii));
}

/** The lines of an untrusted text. Tabs become spaces, because the width of a tab depends on its column. A final line feed adds no empty line. */
export function safeLines(text: string): SafeText[] {
  const lines = text.split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines.map(safeLine);
}

/** A single line that keeps every printable character: for Fluffy's own words, source text behind a margin, and text being typed. */
export function exactLine(text: string): SafeText {
  return escapeTerminal(text.replaceAll('\t', TAB)) as SafeText;
}

function inAscii(character: string): string {
  if (HORIZONTAL.includes(character)) return '-';
  return VERTICAL.includes(character) ? '|' : '+';
}
