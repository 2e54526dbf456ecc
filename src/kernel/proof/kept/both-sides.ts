import type { ParseSyntax } from '../../../contracts/ports/syntax.ts';
import type { ChangedText } from '../findings/inspect-change.ts';
import type { SourceText } from '../findings/finding.ts';
import { changedLines } from '../mutation/changed-lines.ts';
import { sourceText } from '../read-text.ts';

/** One version of a source: before or after the change. */
export interface Side extends SourceText {
  /** The present path. For a deleted file, the path of another source of the change in the same language. */
  readonly path: string;
  /** Lines that the other version does not have. */
  readonly changed: ReadonlySet<number>;
}

export interface BothSides {
  readonly old: readonly Side[];
  readonly now: readonly Side[];
  /** The old texts of all sources, also of those without a syntax tree. */
  readonly oldTexts: readonly string[];
}

/** Returns both versions of the changed sources that have a syntax tree. `deleted` are the texts of deleted files. */
export async function bothSides(
  files: readonly ChangedText[],
  deleted: readonly string[],
  parse: ParseSyntax,
): Promise<BothSides> {
  const old: Side[] = [];
  const now: Side[] = [];
  const sources = files.filter(({ role }) => role === 'source');
  for (const { path, before, after } of sources) {
    const current = await sourceText(parse, path, after);
    if (current !== null) now.push({ ...current, path, changed: changedLines(before, after) });
    const former = before === null ? null : await sourceText(parse, path, before);
    if (former !== null) old.push({ ...former, path, changed: changedLines(after, former.text) });
  }
  for (const text of deleted) {
    for (const { path } of now) {
      const gone = await sourceText(parse, path, text);
      if (gone === null) continue;
      old.push({ ...gone, path, changed: changedLines(null, text) });
      break;
    }
  }
  return { old, now, oldTexts: [...sources.flatMap(({ before }) => before ?? []), ...deleted] };
}
