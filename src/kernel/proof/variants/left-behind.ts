import type { Observation } from '../../../contracts/review/proof.ts';
import { AFTER_A_COPY, WRITTEN_TWICE } from './observe-variants.ts';

/**
 * Pure: what `variants` found of cases that differ when they run a second time in one process, which is as often state that honest tests leave behind (a name
 * in a registry, the next number, a cache) as code that counts its calls. null: nothing of that kind.
 */
export function leftBehind(observations: readonly Observation[]): string | null {
  const variants = observations.find(({ observation }) => observation === 'variants');
  if (variants?.outcome !== 'failed') return null;
  return [AFTER_A_COPY, WRITTEN_TWICE].some((words) => variants.detail.includes(words)) ? variants.detail : null;
}
