import type { ParseSyntax } from '../../../contracts/ports/syntax.ts';
import type { Proof } from '../../../contracts/review/proof.ts';
import { linesOf } from '../../runners/executed-lines.ts';
import type { ExecutedLines } from '../../runners/executed-lines.ts';
import type { ChangedText } from '../findings/inspect-change.ts';
import { changedLines } from '../mutation/changed-lines.ts';
import { codeLinesOf } from './code-lines.ts';

/**
 * Returns how many changed lines with code the new tests execute, in sources with a known language. null if lines were
 * not counted. The process that runs the code under test makes the count, so it must only be used to lower the grade.
 */
export async function executedChanges(
  sources: readonly ChangedText[],
  executed: ExecutedLines | null,
  parse: ParseSyntax,
): Promise<NonNullable<Proof['lines']> | null> {
  if (executed === null) return null;
  const found = { changed: 0, executed: 0 };
  const countable = await codeLinesOf(sources, parse);
  for (const { path, before, after } of sources) {
    const hits = linesOf(executed, path);
    const changed = changedLines(before, after);
    for (const line of countable.get(path) ?? []) {
      if (!changed.has(line)) continue;
      found.changed += 1;
      if (hits?.has(line) === true) found.executed += 1;
    }
  }
  return found;
}
