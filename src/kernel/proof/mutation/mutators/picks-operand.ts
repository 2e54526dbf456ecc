import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { childOf, namedChildren, operatorOf, textOf } from '../../syntax/walk.ts';

const COMPARES = /^[<>]=?$/;
const PARENTHESES = /^parenthesized_/;
const STARTS = /^(?:else\b|return\b|[\s{(:])+/;
const ENDS = /[\s;)}]+$/;

/**
 * Pure: whether a comparison chooses between its own two sides, as a maximum does (`a < b ? b : a`). Where they are equal it does not matter which one it
 * takes, so no test can tell `<` from `<=` there.
 */
export function picksOperand(comparison: SyntaxNode, text: string): boolean {
  const operator = operatorOf(comparison);
  const [left, right] = namedChildren(comparison);
  if (operator === null || left === undefined || right === undefined || !COMPARES.test(textOf(operator, text)))
    return false;
  const sides = [textOf(left, text), textOf(right, text)].sort();
  const ways = waysOf(comparison)
    .map((way) => textOf(way, text).replace(STARTS, '').replace(ENDS, ''))
    .sort();
  return ways.length === 2 && ways.every((way, index) => way === sides[index]);
}

/** What is done where the condition holds, and where it does not. */
function waysOf(comparison: SyntaxNode): readonly SyntaxNode[] {
  const condition = PARENTHESES.test(comparison.parent?.kind ?? '') ? comparison.parent : comparison;
  const branch = condition?.parent ?? null;
  if (condition === null || branch === null) return [];
  // Python's conditional expression has no fields: the value comes first, then the condition, then the other value.
  const [value, middle, other] = namedChildren(branch);
  if (branch.kind === 'conditional_expression' && middle === condition && value !== undefined && other !== undefined)
    return [value, other];
  const consequence = childOf(branch, 'consequence') ?? childOf(branch, 'body');
  const alternative = childOf(branch, 'alternative') ?? nextOf(branch);
  return consequence === null || alternative === null ? [] : [consequence, alternative];
}

/** Without an else, the statement behind it. */
function nextOf(branch: SyntaxNode): SyntaxNode | null {
  const beside = branch.parent === null ? [] : namedChildren(branch.parent);
  return beside[beside.indexOf(branch) + 1] ?? null;
}
