import type { ParseSyntax } from '../../../../contracts/ports/syntax.ts';
import type { Finding } from '../../../../contracts/review/proof.ts';
import type { ChangedText } from '../../findings/inspect-change.ts';
import { bothSides } from '../both-sides.ts';
import { droppedCalls } from './dropped-calls.ts';
import { newConstants } from './new-constants.ts';
import { newLiterals } from './new-literals.ts';
import { newOutput } from './new-output.ts';

/** What a refactoring does otherwise, and neither its tests nor mutants notice: texts, named constants, protecting calls, output. */
export async function newEffects(
  files: readonly ChangedText[],
  deleted: readonly string[],
  parse: ParseSyntax,
): Promise<Finding[]> {
  const sides = await bothSides(files, deleted, parse);
  return [...newLiterals(sides), ...newConstants(sides), ...droppedCalls(sides), ...newOutput(sides)];
}
