import type { TextEdit } from '../../contracts/ports/syntax.ts';

/** Pure: returns the text after one replacement. */
export function editedText(text: string, { start, end, replacement }: TextEdit): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
