import { indentOf } from './indent-shift.ts';

/** The last character of a line that opens a block. */
const OPENS_BLOCK = /[:{([]$/;
/** A line that ends the block above it has less indentation. */
const ENDS_BLOCK = /^(?:[})\]]|(?:else|elif|except|finally|case|end|rescue|when)\b)/;

/**
 * The lines that replace a line whose indentation the model left out, if they are indented relative to that line and not to the beginning of the
 * line: then each gets the indentation of the place. null if they are already right, or if it is not clear. `before` is the text before the place on
 * its line. Pure.
 */
export function placedBlock(before: string, wanted: string, replacement: string): string | null {
  const isWithoutIndent =
    before !== '' && before.trim() === '' && indentOf(wanted) === '' && indentOf(replacement) === '';
  if (!isWithoutIndent || wanted.includes('\n')) return null;
  const [first = '', ...others] = replacement.split('\n');
  if (!isFromZero(first.trimEnd(), others[0], before)) return null;
  return [first, ...others.map((line) => (line.trim() === '' ? line : `${before}${line}`))].join('\n');
}

/** Whether the second line can follow the first only if both are counted from the left margin. */
function isFromZero(first: string, second: string | undefined, before: string): boolean {
  if (second === undefined || second.trim() === '') return false;
  const depth = indentOf(second).length;
  if (OPENS_BLOCK.test(first)) return depth > 0 && depth <= before.length;
  return depth === 0 && !ENDS_BLOCK.test(second);
}
