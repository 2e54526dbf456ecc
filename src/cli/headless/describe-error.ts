import type { UserFacingError } from '../../contracts/fluffy-error.ts';

/** The three sentences of an error, each from the beginning of a line. */
export function errorLines({ what, why, fix }: Pick<UserFacingError, 'what' | 'why' | 'fix'>): readonly string[] {
  return [`ERROR: ${what}`, `Reason: ${why}`, `Fix: ${fix}`].flatMap((sentence) => sentence.split('\n'));
}

export function describeError(error: UserFacingError): string {
  return `${errorLines(error).join('\n')}\n`;
}
