import type { UserFacingError } from '../../contracts/fluffy-error.ts';

/** The three sentences of an error. */
export function describeError({ what, why, fix }: UserFacingError): string {
  return `ERROR: ${what}\nReason: ${why}\nFix: ${fix}\n`;
}
