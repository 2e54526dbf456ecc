import type { Finding, Observation } from '../../../contracts/review/proof.ts';
import { oneLine } from '../../../lib/text/one-line.ts';
import type { Observed } from './observe.ts';

const MAX_DETAIL = 1_000;
const MAX_SHOWN = 160;

/** The outcome of an observation that found these. */
export function observedFindings<Found extends readonly Finding[]>(
  findings: Found,
): Observed & { readonly findings: Found } {
  const detail = findings.length === 0 ? 'none' : findings.map(describeFinding).join('; ');
  return { outcome: findings.length === 0 ? 'held' : 'failed', detail: oneLine(detail, MAX_DETAIL), findings };
}

/** The observations of a proof; that of its findings names all of them, also those that mutants have shown. */
export function withFindings(observations: readonly Observation[], findings: readonly Finding[]): Observation[] {
  const { outcome, detail } = observedFindings(findings);
  return observations.map((each) => (each.observation === 'findings' ? { ...each, outcome, detail } : each));
}

/** `src/a.js:3: it names vitest`. */
export function describeFinding({ path, line, words }: Finding): string {
  return oneLine(`${path}:${line}: ${words}`, MAX_SHOWN);
}
