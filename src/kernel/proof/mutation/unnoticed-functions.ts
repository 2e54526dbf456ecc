import type { Finding } from '../../../contracts/review/proof.ts';
import type { ChosenMutant } from './chosen-mutants.ts';

/** Whether a test notices each mutant that was tried. */
export type Noticed = ReadonlyMap<ChosenMutant, boolean>;

/** One survivor may be equal to what it breaks. */
const MIN_SURVIVORS = 2;
const MAX_TRIED = 3;
/** Returned in place of what the function has computed, which may be the same. */
const EMPTY = /^(?:0|null|nil|None|undefined|Default::default\(\))$/;
const RETURNS_ITSELF = /^(?:\$?this|self)$/;

/** What tests have to notice by itself: a function, and what it returns. A test of errors alone notices the one and not the other. */
interface Group {
  readonly isOfReturns: boolean;
  readonly mutants: readonly ChosenMutant[];
}

/**
 * A change can have its mutants noticed in one function while nobody asks for another, or for its answer. What the chosen mutants show of a function is completed by
 * spare ones: the next to try in each group of which no mutant was noticed yet. Another number or text in a function says less, and is not counted.
 */
export function nextUnnoticed(noticed: Noticed, spare: readonly ChosenMutant[]): ChosenMutant[] {
  const next = grouped([...noticed.keys(), ...spare]).flatMap(({ mutants }) => {
    const tried = mutants.filter((each) => noticed.has(each));
    if (tried.length >= MAX_TRIED || tried.some((each) => noticed.get(each) === true)) return [];
    return mutants.filter((each) => !noticed.has(each)).slice(0, 1);
  });
  return [...new Set(next)];
}

/** Functions of which tests notice nothing, whichever way they are broken, and those of which they do not notice what is returned. */
export function unnoticedFunctions(noticed: Noticed): Finding[] {
  const known = new Set<string>();
  return unnoticedGroups(noticed).flatMap(({ isOfReturns, mutants, path, within: { name, line } }) => {
    const key = `${path}\0${line}`;
    if (known.has(key)) return [];
    known.add(key);
    const words = isOfReturns
      ? `no test notices when ${name} returns something else`
      : `no test notices any of ${mutants.length} mutants of ${name}`;
    return [{ kind: 'unnoticed-function', path, line, words }];
  });
}

/** The mutants that were tried of these functions. */
export function mutantsOfUnnoticed(noticed: Noticed): ChosenMutant[] {
  return [...new Set(unnoticedGroups(noticed).flatMap(({ mutants }) => mutants))];
}

function unnoticedGroups(noticed: Noticed) {
  return grouped([...noticed.keys()]).flatMap((group) => {
    const { isOfReturns, mutants } = group;
    const [first] = mutants;
    if (first?.mutant.within === undefined || mutants.length < minSurvivors(isOfReturns, mutants)) return [];
    if (mutants.some((each) => noticed.get(each) === true)) return [];
    return [{ ...group, path: first.path, within: first.mutant.within }];
  });
}

function minSurvivors(isOfReturns: boolean, mutants: readonly ChosenMutant[]): number {
  return isOfReturns && mutants.some(({ mutant }) => !EMPTY.test(mutant.after)) ? 1 : MIN_SURVIVORS;
}

/** Functions before what they return. */
function grouped(mutants: readonly ChosenMutant[]): Group[] {
  const functions = new Map<string, ChosenMutant[]>();
  for (const each of mutants) {
    const { within, mutator } = each.mutant;
    if (within === undefined || mutator === 'change-literal') continue;
    const key = `${each.path}\0${within.line}\0${within.name}`;
    functions.set(key, [...(functions.get(key) ?? []), each]);
  }
  const all = [...functions.values()];
  return [
    ...all.map((each) => ({ isOfReturns: false, mutants: each })),
    ...all.map((each) => ({ isOfReturns: true, mutants: each.filter(isReturnOfNew) })),
  ];
}

/** In an old function the change may have one return of several, and tests of the others are enough to know it by. */
function isReturnOfNew({ mutant: { mutator, before, within } }: ChosenMutant): boolean {
  if (mutator !== 'replace-return' || RETURNS_ITSELF.test(before)) return false;
  return within?.isChanged === true && within.isReturned;
}
