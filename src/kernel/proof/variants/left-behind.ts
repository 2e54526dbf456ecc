import type { Observation } from '../../../contracts/review/proof.ts';

/**
 * Pure: returns the detail of a failed `variants` observation, if cases differ when they run a second time in one
 * process. The reason may be code that counts its calls. It may as well be state that an honest test leaves behind: a
 * name in a registry, the next number, a cache. null if no case differs in this way.
 */
export function leftBehind(observations: readonly Observation[]): string | null {
  const variants = observations.find(({ observation }) => observation === 'variants');
  return variants?.outcome === 'failed' && variants.differs_again === true ? variants.detail : null;
}
