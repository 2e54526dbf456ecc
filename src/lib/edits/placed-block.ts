import { indentOf } from './indent-shift.ts';

/** The last character of a line behind which a block begins. */
const OPENS_BLOCK = /[:{([]$/;
/** A line that ends the block above it is further left than that. */
const ENDS_BLOCK = /^(?:[})\]]|(?:else|elif|except|finally|case|end|rescue|when)\b)/;

/**
 * Pure: the lines that take the place of one line whose indentation the model left out, where they are indented from there and not from the beginning of the
 * line: then the indentation of the place belongs in front of each of them. Null where they are as they have to be, or where that is not clear.
 * `before` is the text of the place's line in front of it.
 */
export function placedBlock(before: string, wanted: string, replacement: string): string | null {
  const isWithoutIndent =
    before !== '' && before.trim() === '' && indentOf(wanted) === '' && indentOf(replacement) === '';
  if (!isWithoutIndent || wanted.includes('\n')) return null;
  const [first = '', ...others] = replacement.split('\n');
  if (!isFromZero(first.trimEnd(), others[0], before)) return null;
  return [first, ...others.map((line) => (line.trim() === '' ? line : `${before}${line}`))].join('\n');
}

/** Whether the second line can only follow the first one where both are counted from the left. */
function isFromZero(first: string, second: string | undefined, before: string): boolean {
  if (second === undefined || second.trim() === '') return false;
  const depth = indentOf(second).length;
  if (OPENS_BLOCK.test(first)) return depth > 0 && depth <= before.length;
  return depth === 0 && !ENDS_BLOCK.test(second);
}
