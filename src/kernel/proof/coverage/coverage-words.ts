import type { CoverageLines } from '../../../contracts/review/coverage.ts';

/** Pure: `78.5% (157 of 200 lines)`. */
export function shareWords({ covered, total }: CoverageLines): string {
  return `${percentWords((100 * covered) / total)} (${covered} of ${total} lines)`;
}

export function percentWords(percent: number): string {
  return `${figure(percent)}%`;
}

/** Pure: percentage points, without a sign. */
export function pointsWords(points: number): string {
  const shown = figure(Math.abs(points));
  return `${shown} ${shown === 1 ? 'point' : 'points'}`;
}

/** Pure: describes the difference from the baseline, for people. */
export function comparedWords(dropPoints: number): string {
  if (dropPoints === 0) return 'as the baseline';
  return `${pointsWords(dropPoints)} ${dropPoints > 0 ? 'below' : 'above'} the baseline`;
}

function figure(value: number): number {
  return Number(value.toFixed(2));
}
