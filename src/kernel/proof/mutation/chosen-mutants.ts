import type { ParseSyntax } from '../../../contracts/ports/syntax.ts';
import { languageOfFile } from '../../../lib/syntax/language-of-file.ts';
import { changedLines } from './changed-lines.ts';
import type { Mutant } from './mutator.ts';
import { mutantsOf } from './mutants-of.ts';
import { EMPTY_ARGUMENTS } from './mutators/change-arguments.ts';
import { revertedHunks } from './reverted-hunks.ts';

/** A source to mutate: either the lines that differ from `before`, or the 1-based `lines` of `after`. */
export interface BreakableText {
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
  readonly lines?: ReadonlySet<number>;
}

export interface ChosenMutant {
  readonly path: string;
  readonly mutant: Mutant;
}

/** Minimum number of mutants, even for a change of one line. A large change has more. */
export const MIN_MUTANTS = 6;
const MAX_MUTANTS = 40;
const LINES_PER_MUTANT = 4;
/** Maximum number of mutants that are made for one file. */
const MAX_MADE = 80;

/**
 * Returns the mutants to try, and the rest as `spare`. The files alternate. In each file, the mutants with the most
 * informative survivors come first.
 */
export async function mutantsInTurns(
  sources: readonly BreakableText[],
  parse: ParseSyntax,
): Promise<{ readonly chosen: ChosenMutant[]; readonly spare: ChosenMutant[] }> {
  const lines = sources.map(({ before, after, lines: given }) => given ?? changedLines(before, after));
  const total = lines.reduce((sum, each) => sum + each.size, 0);
  const maxMutants = Math.min(MAX_MUTANTS, Math.max(MIN_MUTANTS, Math.ceil(total / LINES_PER_MUTANT)));
  const perFile: ChosenMutant[][] = [];
  for (const [index, { path, before, after }] of sources.entries()) {
    const language = languageOfFile(path);
    const broken =
      language === null
        ? null
        : await mutantsOf(
            { text: after, language, changedLines: lines[index] ?? new Set(), maxMutants: MAX_MADE },
            parse,
          );
    const mutants = broken?.kind === 'mutants' ? broken.mutants : revertedHunks(before ?? '', after, maxMutants);
    perFile.push(mutants.map((mutant) => ({ path, mutant })));
  }
  const all = inTurns(perFile);
  const counted = all.filter(({ mutant }) => mutant.mutator !== EMPTY_ARGUMENTS);
  const chosen = counted.slice(0, maxMutants);
  return { chosen, spare: all.filter((each) => !chosen.includes(each)) };
}

function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat();
}
