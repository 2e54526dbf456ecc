import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { above, operatorOf, textOf } from '../../syntax/walk.ts';
import type { MutatedSource, Mutator } from '../mutator.ts';
import { picksOperand } from './picks-operand.ts';

/** `<` becomes `<=` and `>=`, `&&` becomes `||`, `+` becomes `-`. */
export const swapOperator: Mutator = {
  name: 'swap-operator',
  rank: 1,
  mutate: (node, source) => {
    const { grammar, text } = source;
    if (!grammar.binary.has(node.kind) && !grammar.updates.has(node.kind)) return [];
    if (grammar.updates.has(node.kind) && drivesLoop(node, source)) return [];
    const operator = operatorOf(node);
    if (operator === null || joinsStrings(node, operator, source)) return [];
    const written = textOf(operator, text).replace(/\s+/g, ' ');
    const others = grammar.operators[written] ?? [];
    const swapped = picksOperand(node, text) ? others.filter((other) => other[0] !== written[0]) : others;
    return swapped.map((replacement) => ({
      start: operator.start,
      end: operator.end,
      replacement,
    }));
  },
};

/** Whether an operator controls a loop. A counter in the wrong direction makes an endless loop. */
function drivesLoop(node: SyntaxNode, { grammar }: MutatedSource): boolean {
  const nearest = above(node, ({ kind }) => isOpen(kind) || grammar.functions.has(kind));
  return nearest !== null && isOpen(nearest.kind);

  function isOpen(kind: string): boolean {
    return grammar.loops.has(kind) && !grammar.boundedLoops.has(kind);
  }
}

/**
 * Whether the operator joins strings. Only `+` can do that; another operator is a type error, which no test has to
 * notice.
 */
function joinsStrings(node: SyntaxNode, operator: SyntaxNode, { grammar, text }: MutatedSource): boolean {
  const written = textOf(operator, text);
  if (written !== '+' && written !== '%' && written !== '*') return false;
  return holdsString(node);

  function holdsString(each: SyntaxNode): boolean {
    if (grammar.strings.has(each.kind)) return true;
    return each.kind === node.kind && each.children.some(holdsString);
  }
}
