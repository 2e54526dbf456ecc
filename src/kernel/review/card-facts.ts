import type { ChangeSet } from '../../contracts/review/change-set.ts';
import { isProvedWithoutRed, KIND_DEFINITIONS } from '../../contracts/review/change-kinds.ts';
import type { EvidenceFacts } from '../../contracts/review/evidence.ts';
import { OBSERVATION_TITLES } from '../../contracts/review/proof.ts';
import type { CardFacts } from '../../contracts/review/review-card.ts';
import { shareOf } from '../../lib/evidence/conditions.ts';
import { countedTests, unprovenReasons } from '../../lib/evidence/unproven.ts';
import { classifyPath } from '../policy/index.ts';
import type { CompiledPolicy } from '../policy/index.ts';
import { comparedWords, shareWords } from '../proof/coverage/coverage-words.ts';
import { dropOf } from '../proof/coverage/debt-decision.ts';
import { plural } from '../../lib/text/plural.ts';

export interface CardSubject {
  readonly changes: ChangeSet;
  /** The commit's evidence; null if no commit is prepared. */
  readonly evidence: Pick<EvidenceFacts, 'kind' | 'red' | 'green' | 'proof' | 'network' | 'coverage'> | null;
  /** Paths that the test command names. They are sensitive under every policy. */
  readonly namedByTests: (path: string) => boolean;
  readonly testsCanFollow?: boolean;
}

/**
 * What a review shows of the files and of the proof. The proof comes from the evidence, so that card and commit agree.
 * Pure.
 */
export function cardFacts(
  policy: CompiledPolicy,
  { changes, evidence, namedByTests, testsCanFollow = false }: CardSubject,
): CardFacts {
  const reasons = evidence === null ? ['nothing was observed'] : unprovenReasons(evidence);
  return {
    grade: { verified: reasons.length === 0, reasons },
    files: changes
      .filter(({ before, after }) => before.kind !== 'directory' && after.kind !== 'directory')
      .map(({ path }) => {
        const { kind, sensitive } = classifyPath(policy, path);
        return { path, kind, sensitive: sensitive || namedByTests(path) };
      }),
    proof: evidence === null ? [] : proofOf(evidence),
    ...(testsCanFollow ? { tests_can_follow: true } : {}),
  };
}

function proofOf({ kind, red, green, proof, coverage }: NonNullable<CardSubject['evidence']>): CardFacts['proof'] {
  const observed = (proof?.observations ?? []).map(({ observation, outcome, detail }) => ({
    title: OBSERVATION_TITLES[observation],
    outcome,
    detail,
  }));
  const before = red === null && isProvedWithoutRed(kind) ? [] : [redOf(red)];
  return [...before, greenOf(green), ...observed, ...linesOf(kind, proof), ...sourceOf(coverage)];
}

/** Coverage of the whole source, in a project with a coverage baseline. */
function sourceOf(coverage: EvidenceFacts['coverage']): CardFacts['proof'] {
  if (coverage === undefined) return [];
  const { lines, baseline } = coverage;
  const title = 'Whole source';
  const executed = `${shareWords(lines)} executed by the suite`;
  if (baseline === undefined) return [{ title, outcome: 'held', detail: `${executed}; no baseline yet` }];
  const dropPoints = dropOf(baseline, lines);
  return [{ title, outcome: dropPoints > 0 ? 'failed' : 'held', detail: `${executed}, ${comparedWords(dropPoints)}` }];
}

/** Coverage of the changed lines, as in the evidence of the commit. */
function linesOf(kind: EvidenceFacts['kind'], proof: EvidenceFacts['proof']): CardFacts['proof'] {
  if (KIND_DEFINITIONS[kind ?? 'feature'].counts === null) return [];
  const title = 'Changed lines';
  const measured = shareOf(proof, 'lines');
  if (measured === null) return [{ title, outcome: 'impossible', detail: 'not measured' }];
  const { part, whole } = measured;
  const detail = `${part} of ${whole} executed by ${countedTests(kind)}`;
  return [{ title, outcome: part === 0 ? 'failed' : 'held', detail }];
}

function redOf(red: EvidenceFacts['red']): CardFacts['proof'][number] {
  const title = 'New tests before the change';
  if (red === null) return { title, outcome: 'impossible', detail: 'no test had to fail first' };
  const names = red.failed.map(({ file, name }) => `${file} › ${name}`).join(', ');
  return { title, outcome: 'held', detail: `${plural(red.failed.length, 'failure')}: ${names}` };
}

function greenOf(green: EvidenceFacts['green']): CardFacts['proof'][number] {
  const title = 'Whole suite';
  if (green === null) return { title, outcome: 'impossible', detail: 'it was not run' };
  const { passed, failed, skipped } = green;
  const others = [
    ...(failed.length === 0 ? [] : [`${failed.length} failed before this session as well`]),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
  ];
  return { title, outcome: 'held', detail: [`${passed} passed`, ...others].join(', ') };
}
