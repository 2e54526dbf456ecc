import { KIND_DEFINITIONS } from '../../contracts/review/change-kinds.ts';
import type { EvidenceFacts } from '../../contracts/review/evidence.ts';
import { isAtLeast, shareOf } from '../../lib/evidence/conditions.ts';
import type { GradeCondition } from '../../lib/evidence/conditions.ts';
import { countedTests, noneExecuted, noneNoticed, unprovenReasons } from '../../lib/evidence/unproven.ts';
import type { CompiledPolicy } from '../policy/index.ts';

type Graded = Pick<EvidenceFacts, 'kind' | 'red' | 'proof' | 'network'>;

/** With fewer mutants the share is not meaningful. */
const MIN_MUTANTS = 5;
const MAX_SURVIVORS = 5;

/**
 * Why policy may not approve a change of this grade by itself. Changes that are exempt from tests have a rule of their
 * own (`review.exemptions`). `isExplained`: other reasons already say why it is not verified. Pure.
 */
export function gradeReasons(
  { autoApprove }: Pick<CompiledPolicy['review'], 'autoApprove'>,
  facts: Graded,
  isExplained: boolean,
): string[] {
  if (autoApprove === 'never') return ['Policy requires a human for every change (review.auto_approve: never).'];
  if (facts.kind === 'exempt' || facts.kind === 'explore') return [];
  const asked = isExplained ? autoApprove.filter(({ kind }) => kind !== 'status') : autoApprove;
  return [...whyUnexecuted(facts), ...whyUnnoticed(facts), ...asked.flatMap((condition) => whyNot(condition, facts))];
}

/** Checked under every policy. */
function whyUnexecuted(facts: Graded): string[] {
  const unexecuted = noneExecuted(facts);
  return unexecuted === null ? [] : [`T${unexecuted.slice(1)}.`];
}

/** Checked under every policy, even with very few mutants. */
function whyUnnoticed(facts: Graded): string[] {
  const unnoticed = noneNoticed(facts);
  return unnoticed === null ? [] : [`T${unnoticed.slice(1)}.`, ...survivorsOf(facts.proof)];
}

function survivorsOf(proof: Graded['proof']): string[] {
  return (proof?.mutants?.survivors ?? []).slice(0, MAX_SURVIVORS).map(({ words }) => words);
}

function whyNot(condition: GradeCondition, facts: Graded): string[] {
  if (condition.kind === 'status') {
    const said = [noneNoticed(facts), noneExecuted(facts)];
    const unproven = condition.status === 'verified' ? unprovenReasons(facts).filter((why) => !said.includes(why)) : [];
    return unproven.length === 0 ? [] : [`Not verified: ${unproven.join('; ')}.`];
  }
  const measured = shareOf(facts.proof, condition.of);
  if (condition.of === 'mutants' && (measured === null || measured.whole < MIN_MUTANTS || measured.part === 0))
    return [];
  const tests = countedTests(facts.kind);
  if (measured === null) return [`Which changed lines ${tests} execute was not measured.`];
  if (isAtLeast(measured, condition.percent)) return [];
  const { part, whole } = measured;
  const { breaks } = KIND_DEFINITIONS[facts.kind ?? 'feature'];
  const wanted = `policy wants ${condition.percent}%`;
  if (condition.of === 'lines') return [`T${tests.slice(1)} execute ${part} of ${whole} changed lines; ${wanted}.`];
  return [`The tests notice ${part} of ${whole} mutants of ${breaks}; ${wanted}.`, ...survivorsOf(facts.proof)];
}
