import { structuredPatch } from 'diff';
import type { StructuredPatchHunk } from 'diff';
import type { Mutant } from './mutator.ts';

/** With more changed lines, a diff takes too long, and the file becomes one hunk. */
const MAX_EDIT_LENGTH = 1_000;

/** Returns mutants of a file without a syntax tree. Each reverts one hunk of the change. */
export function revertedHunks(before: string, after: string, maxMutants: number): Mutant[] {
  if (before === after) return [];
  const patch = structuredPatch('a', 'a', before, after, '', '', { context: 0, maxEditLength: MAX_EDIT_LENGTH });
  if (patch === undefined) {
    return [{ line: 1, mutator: 'revert-hunk', before: after, after: before, text: before }].slice(0, maxMutants);
  }
  const lines = after.split('\n');
  return patch.hunks.slice(0, maxMutants).map((hunk) => {
    const added = linesOf(hunk, '+');
    const removed = linesOf(hunk, '-');
    const from = hunk.newStart - 1;
    const text = [...lines.slice(0, from), ...removed, ...lines.slice(from + added.length)].join('\n');
    return { line: from + 1, mutator: 'revert-hunk', before: added.join('\n'), after: removed.join('\n'), text };
  });
}

function linesOf(hunk: StructuredPatchHunk, sign: '+' | '-'): string[] {
  return hunk.lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
}
