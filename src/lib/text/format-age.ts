const UNITS = [
  [60_000, 'min'],
  [3_600_000, 'h'],
  [86_400_000, 'd'],
] as const;

/** `just now`, `5 min ago`, `3 h ago`, `12 d ago`. */
export function formatAge(ms: number): string {
  const [unitMs, unit] = UNITS.findLast(([from]) => ms >= from) ?? [0, ''];
  return unitMs === 0 ? 'just now' : `${Math.floor(ms / unitMs)} ${unit} ago`;
}
