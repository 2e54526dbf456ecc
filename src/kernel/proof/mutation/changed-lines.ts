import { structuredPatch } from 'diff';

/** With more changed lines, a diff takes too long, and every line counts as changed. */
const MAX_EDIT_LENGTH = 2_000;

/** Returns the 1-based lines of `after` that the change added or rewrote. */
export function changedLines(before: string | null, after: string): ReadonlySet<number> {
  const patch =
    before === null
      ? undefined
      : structuredPatch('a', 'a', before, after, '', '', { context: 0, maxEditLength: MAX_EDIT_LENGTH });
  if (patch === undefined) return new Set(after.split('\n').map((_, index) => index + 1));
  return new Set(
    patch.hunks.flatMap(({ newStart, newLines }) => Array.from({ length: newLines }, (_, index) => newStart + index)),
  );
}
