import { escapeTerminal } from '../../lib/text/escape-terminal.ts';

declare const mark: unique symbol;

/**
 * One line of text without terminal control sequences. Only the functions of this file create it, so every `SafeText` has
 * been escaped by them: text of models, tools, files, policies, and what the user pasted.
 */
export type SafeText = string & { readonly [mark]: true };

const TAB = '  ';

/** A single line; line breaks in it are escaped. */
export function safeLine(text: string): SafeText {
  return escapeTerminal(text.replaceAll('\t', TAB)) as SafeText;
}

/** The lines of a text. Tabs become spaces, because the width of a tab depends on its column. A final line feed ends the last line. */
export function safeLines(text: string): SafeText[] {
  const lines = text.split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines.map(safeLine);
}
