import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { namedChildren, operatorOf, textOf } from '../syntax/walk.ts';
import type { Sides } from './equality-methods.ts';

export function eitherWay(one: SyntaxNode, other: SyntaxNode): Sides[] {
  return [
    [one, other],
    [other, one],
  ];
}

/** The two sides of a comparison with one of these operators. */
export function equalSides(node: SyntaxNode, text: string, ...operators: readonly string[]): Sides[] {
  if (!/^(?:comparison_operator|binary_expression|binary)$/.test(node.kind)) return [];
  const [one, other, ...more] = namedChildren(node);
  const operator = operatorOf(node);
  const isEqual = operator !== null && operators.includes(textOf(operator, text));
  return isEqual && one !== undefined && other !== undefined && more.length === 0 ? eitherWay(one, other) : [];
}
