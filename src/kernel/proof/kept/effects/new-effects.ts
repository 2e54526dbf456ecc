import type { ParseSyntax } from '../../../../contracts/ports/syntax.ts';
import type { Finding } from '../../../../contracts/review/proof.ts';
import type { ChangedText } from '../../findings/inspect-change.ts';
import { bothSides } from '../both-sides.ts';
import { droppedCalls } from './dropped-calls.ts';
import { newConstants } from './new-constants.ts';
import type { NewConstant } from './new-constants.ts';
import { newLiterals } from './new-literals.ts';
import { newOutput } from './new-output.ts';

export interface NewEffects {
  readonly findings: readonly Finding[];
  /** Each is a finding too, unless a test checks it. */
  readonly constants: readonly NewConstant[];
}

/**
 * Returns findings for changes of behaviour in a refactoring that its tests and mutants do not notice: texts, named
 * constants, protecting calls, output.
 */
export async function newEffects(
  files: readonly ChangedText[],
  deleted: readonly string[],
  parse: ParseSyntax,
): Promise<NewEffects> {
  const sides = await bothSides(files, deleted, parse);
  const findings = [...newLiterals(sides), ...droppedCalls(sides), ...newOutput(sides)];
  return { findings, constants: newConstants(sides) };
}
