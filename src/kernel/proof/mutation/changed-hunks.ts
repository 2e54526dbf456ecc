import { structuredPatch } from 'diff';

/** Lines of a source that a change has replaced, and where the new lines are. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly deleted: readonly string[];
}

/** An old source before and after a change, with the hunks of the change. */
export interface ChangedText {
  readonly before: string;
  readonly after: string;
  readonly hunks: readonly Hunk[];
}

const MAX_EDIT_LENGTH = 2_000;

/** Pure: returns the hunks of a change. Empty if too much has changed to be compared in time. */
export function changedText(before: string, after: string): ChangedText {
  const patch = structuredPatch('a', 'a', before, after, '', '', { context: 0, maxEditLength: MAX_EDIT_LENGTH });
  const hunks = (patch?.hunks ?? []).map(({ oldStart, oldLines, newStart, newLines, lines }) => {
    const deleted = lines.filter((line) => line.startsWith('-')).map((line) => line.slice(1));
    return { oldStart, oldLines, newStart, newLines, deleted };
  });
  return { before, after, hunks };
}

/** Pure: returns the new source, with the new lines of a hunk replaced by its old ones. */
export function withOldLines(after: string, { newStart, newLines, deleted }: Hunk): string {
  const lines = after.split('\n');
  return [...lines.slice(0, newStart - 1), ...deleted, ...lines.slice(newStart - 1 + newLines)].join('\n');
}
