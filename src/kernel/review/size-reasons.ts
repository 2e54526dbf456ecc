import type { ChangeSet } from '../../contracts/review/change-set.ts';
import type { DiffMeasures } from '../../lib/diff/diff-size.ts';
import type { CompiledPolicy } from '../policy/index.ts';

/** A person does not read a longer line to its end, and it may hold a whole program. */
const LONGEST_READABLE_LINE = 1_000;

/**
 * Properties of a diff's size and form that a person must look at. Each of them can make a large change look small.
 * Pure.
 */
export function sizeReasons(
  { maxDiffLines, maxDiffBytes }: Pick<CompiledPolicy['review'], 'maxDiffLines' | 'maxDiffBytes'>,
  measures: DiffMeasures,
  changes: ChangeSet,
): string[] {
  const { added, removed, bytes, longestLine, oddCharacters, binaryFiles } = measures;
  const reasons: string[] = [];
  const lines = added + removed;
  if (lines > maxDiffLines) reasons.push(`The diff has ${lines} changed lines, more than ${maxDiffLines}.`);
  if (bytes > maxDiffBytes) reasons.push(`The diff has ${bytes} changed bytes, more than ${maxDiffBytes}.`);
  if (longestLine > LONGEST_READABLE_LINE) reasons.push(`A changed line has ${longestLine} characters.`);
  if (oddCharacters.length > 0) reasons.push(`The changed text holds ${oddCharacters.join(', ')}.`);
  if (binaryFiles > 0) reasons.push(`${binaryFiles} changed files are not shown, since they are not text.`);
  const directories = deletedDirectories(changes);
  if (directories.length > 0) reasons.push(`Directories are deleted: ${directories.join(', ')}.`);
  return reasons;
}

/** The outermost directories that existed before and are empty now. */
function deletedDirectories(changes: ChangeSet): string[] {
  const gone = changes
    .filter(({ before, after }) => before.kind === 'directory' && after.kind === 'absent')
    .map(({ path }) => path);
  return gone.filter((path) => !gone.some((outer) => path.startsWith(`${outer}/`)));
}
