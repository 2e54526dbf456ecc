import type { Glob, GlobPart } from './glob.ts';
import { foundByTable, leadingNames } from './glob-trie.ts';

/**
 * The cost of a glob on the worst path of `MAX_PATH_BYTES`, in units of about 40 microseconds. Only parts that may match every name of a path cost
 * anything: parts after a `**` (implied by a pattern without a slash), and names with `?`, `[...]` or several stars. `indexed`: found in a trie
 * together with others, where single names and endings such as `*.ts` are looked up, however many there are.
 */
export function weighGlob({ parts }: Glob, how: 'indexed' | 'alone'): number {
  let words = 0;
  let first = -1;
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'wild') words += part.name.words;
    else if (part.kind === 'globstar' && first < 0) first = index;
  }
  if (first < 0) return words;
  const [, name, more] = parts;
  if (first > 0 || name === undefined || more !== undefined) return words + parts.length - first;
  return how === 'indexed' && isLookedUp(name) ? 0 : words + 1;
}

function isLookedUp(part: GlobPart): boolean {
  return part.kind === 'literal' || part.kind === 'any' || (part.kind === 'affix' && foundByTable(part));
}

/** The maximum cost of all globs together on one path: of globs with leading names, only those count that begin like the path. */
export class GlobScale {
  total = 0;
  readonly #byBeginning = new Map<string, number>();
  /** By number of names: the weight of the heaviest beginning. */
  readonly #heaviest: number[] = [];

  add(glob: Glob, weight: number): void {
    const names = leadingNames(glob.parts);
    const beginning = names.join('/');
    const sum = (this.#byBeginning.get(beginning) ?? 0) + weight;
    this.#byBeginning.set(beginning, sum);
    const heaviest = this.#heaviest[names.length] ?? 0;
    if (sum <= heaviest) return;
    this.#heaviest[names.length] = sum;
    this.total += sum - heaviest;
  }
}
