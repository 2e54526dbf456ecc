import { oneLine } from '../../../lib/text/one-line.ts';
import type { Mutant } from './mutator.ts';

const MAX_LENGTH = 60;

/** Describes a mutant that no test noticed, for the review card. */
export function describeSurvivor(path: string, { line, mutator, before, after }: Mutant): string {
  const where = `in line ${line} of ${path}`;
  if (mutator === 'revert-hunk') return `no test fails when the change ${where} is reverted`;
  if (mutator === 'remove-statement' || after === '') return `no test fails when ${quoted(before)} is removed ${where}`;
  return `no test fails when ${quoted(before)} becomes ${quoted(after)} ${where}`;
}

function quoted(code: string): string {
  return `\`${oneLine(code.replaceAll(/\s+/g, ' '), MAX_LENGTH)}\``;
}
