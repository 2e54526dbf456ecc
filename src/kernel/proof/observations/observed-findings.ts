import type { Finding, Observation } from '../../../contracts/review/proof.ts';
import { oneLine } from '../../../lib/text/one-line.ts';
import type { Observed } from './observe.ts';

const MAX_DETAIL = 1_000;
const MAX_SHOWN = 160;

/** Returns the outcome of an observation that found these findings. */
export function observedFindings<Found extends readonly Finding[]>(
  findings: Found,
): Observed & { readonly findings: Found } {
  const detail = findings.length === 0 ? 'none' : findings.map(describeFinding).join('; ');
  return { outcome: findings.length === 0 ? 'held' : 'failed', detail: oneLine(detail, MAX_DETAIL), findings };
}

/**
 * Returns the observations of a proof, where the observation `findings` names all findings, including those that
 * mutants have shown.
 */
export function withFindings(observations: readonly Observation[], findings: readonly Finding[]): Observation[] {
  const { outcome, detail } = observedFindings(findings);
  return observations.map((each) => (each.observation === 'findings' ? { ...each, outcome, detail } : each));
}

/** Example: `src/a.js:3: it names vitest`. */
export function describeFinding({ path, line, words }: Finding): string {
  return oneLine(`${path}:${line}: ${words}`, MAX_SHOWN);
}
