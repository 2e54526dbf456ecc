import { ownValue } from '../own-value.ts';

/** A value parsed from text, or why that failed: `problem` completes "the size …". */
export type ParsedByteSize =
  { readonly kind: 'ok'; readonly bytes: number } | { readonly kind: 'invalid'; readonly problem: string };

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  KB: 1000,
  MB: 1000 ** 2,
  GB: 1000 ** 3,
};

/** Parses `512MiB`, `100KB` or a plain number of bytes. Whole numbers, exact units, case-sensitive: `mb` would be ambiguous. */
export function parseByteSize(value: string | number): ParsedByteSize {
  const text = String(value);
  const match = /^([0-9]{1,16})([A-Za-z]*)$/.exec(text);
  const factor = match?.[2] === undefined ? undefined : ownValue(UNITS, match[2]);
  if (match === null || factor === undefined) {
    return { kind: 'invalid', problem: `"${text}" is not a whole number with KiB, MiB, GiB, KB, MB, GB or no unit` };
  }
  const bytes = Number(match[1]) * factor;
  return Number.isSafeInteger(bytes) ? { kind: 'ok', bytes } : { kind: 'invalid', problem: `"${text}" is too large` };
}
