import { oneLine } from '../../../lib/text/one-line.ts';
import type { Mutant } from './mutator.ts';

const MAX_LENGTH = 60;

/** A mutant that no test noticed, for the review card. */
export function describeSurvivor(path: string, { line, mutator, before, after }: Mutant): string {
  const where = `in line ${line} of ${path}`;
  if (mutator === 'revert-hunk') return `nobody notices when the change ${where} is taken back`;
  if (mutator === 'remove-statement' || after === '')
    return `nobody notices when ${quoted(before)} is removed ${where}`;
  return `nobody notices when ${quoted(before)} becomes ${quoted(after)} ${where}`;
}

function quoted(code: string): string {
  return `\`${oneLine(code.replaceAll(/\s+/g, ' '), MAX_LENGTH)}\``;
}
