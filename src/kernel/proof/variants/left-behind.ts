import type { Observation } from '../../../contracts/review/proof.ts';

/**
 * Pure: what `variants` found of cases that differ when they run a second time in one process, which is as often state that honest tests leave behind (a name
 * in a registry, the next number, a cache) as code that counts its calls. null: nothing of that kind.
 */
export function leftBehind(observations: readonly Observation[]): string | null {
  const variants = observations.find(({ observation }) => observation === 'variants');
  return variants?.outcome === 'failed' && variants.differs_again === true ? variants.detail : null;
}
