import { isProvedWithoutRed, KIND_DEFINITIONS } from '../../contracts/review/change-kinds.ts';
import type { EvidenceFacts } from '../../contracts/review/evidence.ts';
import { OBSERVATION_TITLES } from '../../contracts/review/proof.ts';
import type { ObservationName } from '../../contracts/review/proof.ts';
import { plural } from '../text/plural.ts';

type Observed = Pick<EvidenceFacts, 'kind' | 'red' | 'proof' | 'network'>;

/** The observations required for evidence without a kind. */
const BEFORE_KINDS: readonly ObservationName[] = ['removal'];

/**
 * Why a commit cannot be called verified; empty if it can. Facts of version 1 contain no proof and are judged by what that version observed: that a
 * test failed first. Pure.
 */
export function unprovenReasons({ kind, red, proof, network }: Observed): string[] {
  const definition = kind === undefined ? null : KIND_DEFINITIONS[kind];
  if (definition !== null && definition.needs === null)
    return [`nothing proves a change of this kind: ${definition.title}`];
  const needsRed = definition?.red ?? true;
  if (needsRed && red === null) return ['no test had to fail first'];
  if (proof === undefined) return kind === undefined ? [] : ['nothing was observed of it'];
  const { observations, findings } = proof;
  const made = new Set(observations.map(({ observation }) => observation));
  const needsStandIns = red?.failed.some(({ name }) => name === '(load)') === true;
  const needed = [...(definition?.needs ?? BEFORE_KINDS), ...(needsStandIns ? (['stand_ins'] as const) : [])];
  const titleOf = (name: ObservationName): string => OBSERVATION_TITLES[name].toLowerCase();
  const unnoticed = noneNoticed({ kind, proof });
  const unexecuted = noneExecuted({ kind, proof });
  return [
    ...needed.filter((name) => !made.has(name)).map((name) => `${titleOf(name)}: not observed`),
    ...observations
      .filter(({ observation, outcome }) => outcome !== 'held' && isJudged(observation))
      .map(({ observation, outcome }) => `${titleOf(observation)}: ${outcome}`),
    ...(unnoticed === null ? [] : [unnoticed]),
    ...(unexecuted === null ? [] : [unexecuted]),
    ...outsideHosts(network),
    ...(findings.length === 0
      ? []
      : [`${findings.length} ${findings.length === 1 ? 'finding' : 'findings'} in changed files`]),
  ];

  /** Findings are counted below. Mutants and lines are graded by their number, unless they are the only proof for the kind of change. */
  function isJudged(name: ObservationName): boolean {
    return needed.includes(name) || (name !== 'findings' && name !== 'mutation');
  }
}

/** The answers of external hosts cannot be reproduced. */
function outsideHosts(network: Observed['network']): string[] {
  const hosts = network?.hosts ?? [];
  return hosts.length === 0 ? [] : [`the tests could reach hosts of the network: ${hosts.join(', ')}`];
}

/** Tests that notice no mutant prove nothing, however few were tried. null if a mutant was noticed, or if none was tried. Pure. */
export function noneNoticed({ kind, proof }: Pick<Observed, 'kind' | 'proof'>): string | null {
  const mutants = proof?.mutants;
  if (mutants === undefined || mutants.tried === 0 || mutants.noticed > 0) return null;
  return `the tests notice none of ${plural(mutants.tried, 'mutant')} of ${KIND_DEFINITIONS[kind ?? 'feature'].breaks}`;
}

/** The tests whose execution of the changed lines a proof counts. */
export function countedTests(kind: Observed['kind']): string {
  return KIND_DEFINITIONS[kind ?? 'feature'].counts ?? 'the tests';
}

/** A test that executes no changed line proves nothing about them. null if it executes one, or if nothing was measured. Pure. */
export function noneExecuted({ kind, proof }: Pick<Observed, 'kind' | 'proof'>): string | null {
  const lines = proof?.lines;
  if (lines === undefined || lines.changed === 0 || lines.executed > 0) return null;
  return lines.changed === 1
    ? `${countedTests(kind)} do not execute the changed line`
    : `${countedTests(kind)} execute none of ${lines.changed} changed lines`;
}

/**
 * The value of the commit's `Fluffy-Mode` trailer. `unverified` means that no test was seen to fail first, and that the change was not proved in
 * another way. Pure.
 */
export function modeTrailer(facts: Observed & Pick<EvidenceFacts, 'mode'>): string {
  const isProved = facts.red !== null || (isProvedWithoutRed(facts.kind) && unprovenReasons(facts).length === 0);
  return isProved ? facts.mode : `${facts.mode}-unverified`;
}
