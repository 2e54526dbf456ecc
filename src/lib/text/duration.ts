import { ownValue } from '../own-value.ts';

/** A value parsed from text, or why that failed: `problem` completes "the duration …". */
export type ParsedDuration =
  { readonly kind: 'ok'; readonly ms: number } | { readonly kind: 'invalid'; readonly problem: string };

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Parses `250ms`, `30s`, `10m` or `1h`. Whole numbers, one unit, case-sensitive; a number without a unit is refused. */
export function parseDuration(text: string): ParsedDuration {
  const match = /^([0-9]{1,12})(ms|s|m|h)$/.exec(text);
  const factor = match?.[2] === undefined ? undefined : ownValue(UNITS, match[2]);
  if (match === null || factor === undefined) {
    return { kind: 'invalid', problem: `"${text}" is not a whole number with ms, s, m or h` };
  }
  const ms = Number(match[1]) * factor;
  return Number.isSafeInteger(ms) ? { kind: 'ok', ms } : { kind: 'invalid', problem: `"${text}" is too long` };
}
