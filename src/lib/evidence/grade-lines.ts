import { KIND_DEFINITIONS } from '../../contracts/review/change-kinds.ts';
import type { EvidenceFacts } from '../../contracts/review/evidence.ts';
import { OBSERVATION_TITLES } from '../../contracts/review/proof.ts';
import { ownValue } from '../own-value.ts';
import { shareOf } from './conditions.ts';
import type { Share } from './conditions.ts';
import { countedTests, unprovenReasons } from './unproven.ts';

/** One line about a commit; the line of a surviving mutant has no label. */
export interface GradeLine {
  readonly label: string;
  readonly words: string;
}

type Graded = Pick<EvidenceFacts, 'kind' | 'red' | 'proof' | 'network'>;

const OUTCOMES = { held: 'holds', failed: 'does not hold', impossible: 'not possible' } as const;
const MAX_SURVIVORS = 10;

/** What is known about a commit, in the order in which it is shown. Facts of version 1 have no lines. Pure. */
export function gradeLines(facts: Graded): GradeLine[] {
  const { kind, red, proof } = facts;
  if (kind === undefined && proof === undefined) return [];
  const unproven = unprovenReasons(facts);
  const survivors = proof?.mutants?.survivors ?? [];
  return [
    { label: 'grade', words: unproven.length === 0 ? 'verified' : `not verified: ${unproven.join('; ')}` },
    ...(kind === undefined ? [] : [{ label: 'kind', words: KIND_DEFINITIONS[kind].title }]),
    ...(red === null ? [] : [{ label: 'red', words: redWords(red) }]),
    ...(proof?.observations ?? [])
      .filter(({ observation }) => observation !== 'findings' && observation !== 'mutation')
      .map(({ observation, outcome, detail }) => ({
        label: OBSERVATION_TITLES[observation].toLowerCase(),
        words: `${OUTCOMES[outcome]}: ${detail}`,
      })),
    ...shareLine(facts, 'lines', 'changed lines', `executed by ${countedTests(kind)}`),
    ...shareLine(facts, 'mutants', 'mutants', 'noticed'),
    ...survivors.slice(0, MAX_SURVIVORS).map(({ words }) => ({ label: '', words })),
    ...networkLine(facts.network),
    ...(proof === undefined ? [] : [{ label: 'findings', words: findingWords(proof.findings.length) }]),
  ];
}

function redWords({ failed, test_files, tests_in_sources = [], by }: NonNullable<EvidenceFacts['red']>): string {
  const files = [...test_files, ...tests_in_sources];
  const kinds = Object.entries(by ?? {}).flatMap(([name, count]) =>
    count > 0 ? [`${count} ${ownValue(BY_WORDS, name) ?? name}`] : [],
  );
  const how = kinds.length === 0 ? '' : ` (${kinds.join(', ')})`;
  return `${failed.length} failed before the change${how}, in ${files.length} frozen ${files.length === 1 ? 'file' : 'files'}`;
}

const BY_WORDS: Readonly<Record<string, string>> = {
  assertion: 'by assertion',
  error: 'by an error',
  timeout: 'by a time limit',
  stand_ins: 'against stand-ins',
};

function shareLine({ proof, kind }: Graded, share: Share, label: string, verb: string): GradeLine[] {
  const measured = shareOf(proof, share);
  if (measured !== null) return [{ label, words: `${measured.part} of ${measured.whole} ${verb}` }];
  if (proof === undefined) return [];
  if (share === 'lines')
    return KIND_DEFINITIONS[kind ?? 'feature'].counts === null ? [] : [{ label, words: 'not measured' }];
  const made = proof.observations.find(({ observation }) => observation === 'mutation');
  return [{ label, words: made === undefined ? 'none tried' : `none tried: ${made.detail}` }];
}

function findingWords(count: number): string {
  return count === 0 ? 'none' : `${count} in changed files`;
}

function networkLine(network: Graded['network']): GradeLine[] {
  if (network === undefined) return [];
  const { services, hosts } = network;
  const words = [
    ...(services.length === 0 ? [] : [`services ${services.join(', ')}`]),
    ...(hosts.length === 0 ? [] : [`hosts ${hosts.join(', ')}`]),
  ];
  return [{ label: 'tests ran with', words: words.join('; ') }];
}
