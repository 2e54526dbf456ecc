import type { Finding } from '../../../contracts/review/proof.ts';
import type { ChosenMutant } from './chosen-mutants.ts';

/** Whether a test notices each mutant that was tried. */
export type Noticed = ReadonlyMap<ChosenMutant, boolean>;

/** One survivor may be equal to what it breaks. */
const MIN_SURVIVORS = 2;
const MAX_TRIED = 3;

/**
 * A change can have its mutants noticed in one function while nobody asks for another. What the chosen mutants show of a function is completed by spare ones: the
 * next to try in each function of which no mutant was noticed yet. Another number or text in a function says less, and is not counted.
 */
export function nextUnnoticed(noticed: Noticed, spare: readonly ChosenMutant[]): ChosenMutant[] {
  return [...grouped([...noticed.keys(), ...spare]).values()].flatMap((mutants) => {
    const tried = mutants.filter((each) => noticed.has(each));
    if (tried.length >= MAX_TRIED || tried.some((each) => noticed.get(each) === true)) return [];
    return mutants.filter((each) => !noticed.has(each)).slice(0, 1);
  });
}

/** Functions of which tests notice nothing, whichever way they are broken. */
export function unnoticedFunctions(noticed: Noticed): Finding[] {
  return [...grouped([...noticed.keys()]).values()].flatMap((mutants) => {
    const [first] = mutants;
    if (first?.mutant.within === undefined || mutants.length < MIN_SURVIVORS) return [];
    if (mutants.some((each) => noticed.get(each) === true)) return [];
    const { name, line } = first.mutant.within;
    const words = `no test notices when ${name} is broken, in none of ${mutants.length} ways`;
    return [{ kind: 'unnoticed-function', path: first.path, line, words }];
  });
}

function grouped(mutants: readonly ChosenMutant[]): Map<string, ChosenMutant[]> {
  const groups = new Map<string, ChosenMutant[]>();
  for (const each of mutants) {
    const { within, mutator } = each.mutant;
    if (within === undefined || mutator === 'change-literal') continue;
    const key = `${each.path}\0${within.line}\0${within.name}`;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return groups;
}
