import type { Finding } from '../../../contracts/review/proof.ts';
import type { ChosenMutant } from './chosen-mutants.ts';
import { EMPTY_ARGUMENTS } from './mutators/change-arguments.ts';

/** For each mutant that was tried: whether a test notices it. */
export type Noticed = ReadonlyMap<ChosenMutant, boolean>;

/** A single survivor may be equivalent to the original code. */
const MIN_SURVIVORS = 2;
const MAX_TRIED = 3;
/** Replacements that may be equal to the computed value. */
const EMPTY = /^(?:0|null|nil|None|undefined|Default::default\(\))$/;
const RETURNS_ITSELF = /^(?:\$?this|self)$/;

/**
 * Mutants of one function, those that replace its returned value, or the arguments of its calls. Tests must notice each
 * group separately: a test that only checks errors notices the first group but not the second, and one that counts
 * calls not the third.
 */
interface Group {
  readonly isOf: 'all' | 'returns' | 'arguments';
  readonly mutants: readonly ChosenMutant[];
}

/**
 * Returns the next mutants to try: one spare mutant for each group of which no mutant was noticed yet. All noticed
 * mutants of a change may be in one function, while no test checks another function or its returned value. Mutants of
 * literals say less and do not count here.
 */
export function nextUnnoticed(noticed: Noticed, spare: readonly ChosenMutant[]): ChosenMutant[] {
  const next = grouped([...noticed.keys(), ...spare]).flatMap(({ isOf, mutants }) => {
    const tried = mutants.filter((each) => noticed.has(each));
    if (tried.length >= MAX_TRIED || tried.some((each) => noticed.get(each) === true)) return [];
    const isTried = (each: ChosenMutant): boolean =>
      noticed.has(each) || (isOf === 'arguments' && tried.some(({ mutant }) => mutant.line === each.mutant.line));
    const left = mutants.filter((each) => !isTried(each)).slice(0, 1);
    return isOf === 'arguments' ? [...left, ...removalsOf(tried, spare)] : left;
  });
  return [...new Set(next)];
}

/** The mutants without the statements of these calls. */
function removalsOf(calls: readonly ChosenMutant[], all: readonly ChosenMutant[]): ChosenMutant[] {
  return all.filter(
    ({ path, mutant: { mutator, line } }) =>
      mutator === 'remove-statement' && calls.some((call) => call.path === path && call.mutant.line === line),
  );
}

/**
 * Returns findings for functions of which no mutant is noticed, and for functions whose returned value no test checks.
 */
export function unnoticedFunctions(noticed: Noticed): Finding[] {
  const known = new Set<string>();
  return unnoticedGroups(noticed).flatMap(({ isOf, mutants, path, within: { name, line } }) => {
    const key = `${path}\0${line}`;
    if (known.has(key)) return [];
    known.add(key);
    const words = {
      all: `no test notices any of ${mutants.length} mutants of ${name}`,
      returns: `no test notices when ${name} returns something else`,
      arguments: `a test notices the calls of ${name}, but not their arguments`,
    }[isOf];
    return [{ kind: 'unnoticed-function', path, line, words }];
  });
}

/** Returns the tried mutants of these functions. */
export function mutantsOfUnnoticed(noticed: Noticed): ChosenMutant[] {
  return [...new Set(unnoticedGroups(noticed).flatMap(({ mutants }) => mutants))];
}

function unnoticedGroups(noticed: Noticed) {
  return grouped([...noticed.keys()]).flatMap((group) => {
    const { mutants } = group;
    const [first] = mutants;
    if (first?.mutant.within === undefined || mutants.length < minSurvivors(group)) return [];
    if (mutants.some((each) => noticed.get(each) === true)) return [];
    if (
      group.isOf === 'arguments' &&
      !removalsOf(mutants, [...noticed.keys()]).some((each) => noticed.get(each) === true)
    )
      return [];
    return [{ ...group, path: first.path, within: first.mutant.within }];
  });
}

function minSurvivors({ isOf, mutants }: Group): number {
  if (isOf === 'arguments') return 1;
  return isOf === 'returns' && mutants.some(({ mutant }) => !EMPTY.test(mutant.after)) ? 1 : MIN_SURVIVORS;
}

/** Groups with all mutants of a function come before those with only some. */
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
    ...all.map((each) => ({ isOf: 'all' as const, mutants: each.filter((one) => !isOfArguments(one)) })),
    ...all.map((each) => ({ isOf: 'returns' as const, mutants: each.filter(isReturnOfNew) })),
    ...all.map((each) => ({ isOf: 'arguments' as const, mutants: each.filter(isOfArguments) })),
  ];
}

function isOfArguments({ mutant: { mutator } }: ChosenMutant): boolean {
  return mutator === EMPTY_ARGUMENTS;
}

/**
 * Whether the mutant replaces the returned value of a new or changed function. In an old function, the change may
 * contain one of several returns, and tests of the others may be sufficient.
 */
function isReturnOfNew({ mutant: { mutator, before, within } }: ChosenMutant): boolean {
  if (mutator !== 'replace-return' || RETURNS_ITSELF.test(before)) return false;
  return within?.isChanged === true && within.isReturned;
}
