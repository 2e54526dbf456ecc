import type { EvidenceFacts } from '../../contracts/evidence.ts';
import { OBSERVATION_TITLES } from '../../contracts/proof.ts';

/**
 * Pure: what keeps a commit from being called verified; empty if nothing does. Facts of version 1 have no proof in them and are held to what that
 * version observed: that a test failed first.
 */
export function unprovenReasons({ red, proof }: Pick<EvidenceFacts, 'red' | 'proof'>): string[] {
  if (red === null) return ['no test had to fail first'];
  if (proof === undefined) return [];
  const { observations, findings } = proof;
  const held = new Set(observations.filter(({ outcome }) => outcome === 'held').map(({ observation }) => observation));
  const needsStandIns = red.failed.some(({ name }) => name === '(load)');
  return [
    ...(held.has('removal') ? [] : ['the new tests were not seen to fail again without the new source']),
    ...(needsStandIns && !held.has('stand_ins')
      ? ['tests that did not load at first were not seen to fail against stand-ins']
      : []),
    ...observations
      .filter(({ observation, outcome }) => outcome !== 'held' && observation !== 'findings')
      .map(({ observation, outcome }) => `${OBSERVATION_TITLES[observation].toLowerCase()}: ${outcome}`),
    ...(findings.length === 0
      ? []
      : [`${findings.length} ${findings.length === 1 ? 'finding' : 'findings'} in changed files`]),
  ];
}
