import type { ObservationName } from '../../contracts/review/proof.ts';
import { formatElapsed } from '../store/format-amount.ts';
import type { Observing, Proving } from '../store/proving.ts';

/** Short, because several run at once, in a row of 80 cells. */
const NAMES: Readonly<Record<ObservationName, string>> = {
  stand_ins: 'stand-ins',
  opening: 'suite before',
  removal: 'removal',
  repeated: 'repeated tests',
  variants: 'variants',
  findings: 'findings',
  old_tests: 'old tests',
  plain: 'plain run',
  references: 'references',
  mutation_before: 'mutants of before',
  mutation: 'mutants',
};

/** `3 of 6 done · mutants 12 of 30 · 8s`. */
export function provingWords({ sinceMs, done, total, running }: Proving, nowMs: number): string {
  const what = running.length === 0 ? 'the results are compared' : running.map(observingWords).join(', ');
  return [...(total === null ? [] : [`${done} of ${total} done`]), what, ...elapsedWords(sinceMs, nowMs)].join(' · ');
}

/** Empty in the first second. */
export function elapsedWords(sinceMs: number, nowMs: number): string[] {
  return nowMs - sinceMs < 1000 ? [] : [formatElapsed(nowMs - sinceMs)];
}

function observingWords({ observation, done, total }: Observing): string {
  // For a plain run, the checks beside it are counted.
  const name = observation === 'plain' && total > 0 ? 'checks' : NAMES[observation];
  return total === 0 ? name : `${name} ${done} of ${total}`;
}
