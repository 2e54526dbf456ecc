import type { UserFacingError } from '../../contracts/fluffy-error.ts';
import { wordsKept } from '../output/words-kept.ts';

/** The three sentences of an error, each at the beginning of a line. */
export function errorLines({ what, why, fix }: Pick<UserFacingError, 'what' | 'why' | 'fix'>): readonly string[] {
  return [`ERROR: ${what}`, `Reason: ${why}`, `Fix: ${fix}`].flatMap((sentence) => sentence.split('\n'));
}

/** The error as printed; in a terminal its lines are wrapped between words. */
export function describeError(error: UserFacingError, columns: number | null): string {
  const rows = errorLines(error).flatMap((line) => wordsKept(line, columns));
  return `${rows.join('\n')}\n`;
}
