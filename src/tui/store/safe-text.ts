import { escapeTerminal } from '../../lib/escape-terminal.ts';

declare const mark: unique symbol;

/**
 * One line of text that a terminal shows and never acts on. Only the functions of this file make it, so whatever a component is
 * given as `SafeText` has been through them: text of models, tools, files, policies, and what the user pasted.
 */
export type SafeText = string & { readonly [mark]: true };

const TAB = '  ';

/** A single line; line breaks in it are spelled. */
export function safeLine(text: string): SafeText {
  return escapeTerminal(text.replaceAll('\t', TAB)) as SafeText;
}

/** The lines of a text. Tabs become blanks: how wide a terminal draws one depends on where it stands. A final line feed ends the last line. */
export function safeLines(text: string): SafeText[] {
  const lines = text.split('\n');
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  return lines.map(safeLine);
}
