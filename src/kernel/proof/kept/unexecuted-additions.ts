import type { ParseSyntax } from '../../../contracts/ports/syntax.ts';
import type { Finding } from '../../../contracts/review/proof.ts';
import { linesOf } from '../../runners/executed-lines.ts';
import type { ExecutedLines } from '../../runners/executed-lines.ts';
import { codeLinesOf } from '../executed/code-lines.ts';
import type { ChangedText } from '../findings/inspect-change.ts';
import { changedLines } from '../mutation/changed-lines.ts';

/**
 * Returns findings for lines that a refactoring adds and no test executes: nothing shows that they keep the behaviour.
 * A line that was only moved is not new. A file that no counted process loads has no finding, because nothing is known
 * about it.
 */
export async function unexecutedAdditions(
  sources: readonly ChangedText[],
  executed: ExecutedLines | null,
  parse: ParseSyntax,
): Promise<Finding[]> {
  if (executed === null) return [];
  const countable = await codeLinesOf(sources, parse);
  const old = new Set(sources.flatMap(({ before }) => (before ?? '').split('\n').map((line) => line.trim())));
  return sources.flatMap(({ path, before, after }) => {
    const ran = linesOf(executed, path);
    if (ran === null) return [];
    const lines = after.split('\n');
    const changed = changedLines(before, after);
    const isUnexecuted = (line: number): boolean =>
      changed.has(line) && !ran.has(line) && !old.has((lines[line - 1] ?? '').trim());
    const [first] = [...(countable.get(path) ?? [])].filter(isUnexecuted).toSorted((a, b) => a - b);
    if (first === undefined) return [];
    return [{ kind: 'unexecuted-addition', path, line: first, words: 'no test executes this line, which is new' }];
  });
}
