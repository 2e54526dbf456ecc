import type { AnchorsRead } from '../../src/cli/audit/verify-audit.ts';
import type { Anchor } from '../../src/kernel/audit/compare-anchors.ts';
import { START } from '../../src/kernel/audit/verify-chain.ts';

/** The anchors of a log that was never reset. */
export function oneEpoch(anchors: readonly Anchor[], doubt: string | null = null): AnchorsRead {
  return [{ epoch: 1, start: START, anchors, doubt }];
}
