import type { Diff, DiffFile } from './read-diff.ts';

/** The beginning of a change: a reminder, not something to approve. */
export interface DiffExcerpt {
  readonly files: readonly DiffFile[];
  readonly added: number;
  readonly removed: number;
  /** Lines that were left out at the end. */
  readonly hidden: number;
}

export function excerptOf({ files, added, removed }: Diff, limit: number): DiffExcerpt {
  let left = limit;
  let hidden = 0;
  const kept = files.map((file) => ({
    ...file,
    remarks: [],
    hunks: file.hunks.flatMap((hunk) => {
      const lines = hunk.lines.filter(({ kind }) => kind !== 'remark');
      const shown = lines.slice(0, left);
      left -= shown.length;
      hidden += lines.length - shown.length;
      return shown.length === 0 ? [] : [{ ...hunk, lines: shown }];
    }),
  }));
  return { files: kept.filter(({ hunks }) => hunks.length > 0), added, removed, hidden };
}
