import type { CoverageLines } from '../../../contracts/review/coverage.ts';
import type { TechDebtSettings } from '../../policy/compiled-policy.ts';

/** How a measurement compares with the baseline. `dropPoints` are percentage points; below 0 where coverage has risen. */
export type DebtDecision =
  | { readonly kind: 'no-baseline' }
  | { readonly kind: 'unchanged' | 'warning' | 'locked'; readonly dropPoints: number };

type Thresholds = Pick<TechDebtSettings, 'warningThreshold' | 'lockoutThreshold'>;

/** Pure. A drop of exactly a threshold is within it. */
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

/** Pure: whether a strict commit sets the baseline to what it measured. One that falls behind leaves it: a debt is not forgiven. */
export function setsBaseline(
  baseline: CoverageLines | null,
  measured: CoverageLines,
  { minDelta }: Pick<TechDebtSettings, 'minDelta'>,
): boolean {
  return baseline === null || !isBelow(baseline, measured, minDelta);
}

/** Whole numbers are compared: a fraction of 100 does not have to be exact. */
function isBelow(baseline: CoverageLines, measured: CoverageLines, points: number): boolean {
  return scaledGain(baseline, measured) < points * measured.total * baseline.total;
}

/** Pure: percentage points; below 0 where coverage has risen. */
export function dropOf(baseline: CoverageLines, measured: CoverageLines): number {
  const gain = scaledGain(baseline, measured);
  return gain === 0 ? 0 : -gain / (measured.total * baseline.total);
}

function scaledGain(baseline: CoverageLines, measured: CoverageLines): number {
  return 100 * (measured.covered * baseline.total - baseline.covered * measured.total);
}
