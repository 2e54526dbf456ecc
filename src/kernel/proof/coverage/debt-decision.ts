import type { CoverageLines } from '../../../contracts/review/coverage.ts';
import type { TechDebtSettings } from '../../policy/compiled-policy.ts';

/** The result of a comparison with the baseline. `dropPoints` are percentage points; negative if coverage has risen. */
export type DebtDecision =
  | { readonly kind: 'no-baseline' }
  | { readonly kind: 'unchanged' | 'warning' | 'locked'; readonly dropPoints: number };

type Thresholds = Pick<TechDebtSettings, 'warningThreshold' | 'lockoutThreshold'>;

/** Pure: compares a measurement with the baseline. A drop of exactly the threshold is allowed. */
export function debtDecision(
  baseline: CoverageLines | null,
  measured: CoverageLines,
  { warningThreshold, lockoutThreshold }: Thresholds,
): DebtDecision {
  if (baseline === null) return { kind: 'no-baseline' };
  const dropPoints = dropOf(baseline, measured);
  if (isBelow(baseline, measured, lockoutThreshold)) return { kind: 'locked', dropPoints };
  return { kind: isBelow(baseline, measured, warningThreshold) ? 'warning' : 'unchanged', dropPoints };
}

/**
 * Pure: whether a strict commit sets the baseline to its measurement. A lower measurement does not change the baseline,
 * so the drop still has to be made up.
 */
export function setsBaseline(
  baseline: CoverageLines | null,
  measured: CoverageLines,
  { minDelta }: Pick<TechDebtSettings, 'minDelta'>,
): boolean {
  return baseline === null || !isBelow(baseline, measured, minDelta);
}

/** Compares whole numbers, because fractions of 100 may be inexact. */
function isBelow(baseline: CoverageLines, measured: CoverageLines, points: number): boolean {
  return scaledGain(baseline, measured) < points * measured.total * baseline.total;
}

/** Pure: returns the drop in percentage points; negative if coverage has risen. */
export function dropOf(baseline: CoverageLines, measured: CoverageLines): number {
  const gain = scaledGain(baseline, measured);
  return gain === 0 ? 0 : -gain / (measured.total * baseline.total);
}

function scaledGain(baseline: CoverageLines, measured: CoverageLines): number {
  return 100 * (measured.covered * baseline.total - baseline.covered * measured.total);
}
