import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { childOf, kindOf, namedChildren, operatorOf, textOf } from '../../syntax/walk.ts';

const COMPARES = /^[<>]=?$/;
const PARENTHESES = /^parenthesized_/;
const STARTS = /^(?:else\b|return\b|[\s{(:])+/;
const ENDS = /[\s;)}]+$/;

/**
 * Pure: whether a comparison selects one of its own two sides, as in `a < b ? b : a`. If the sides are equal, the
 * result is the same with `<` and `<=`, so no test can notice that mutant.
 */
export function picksOperand(comparison: SyntaxNode, text: string): boolean {
  const operator = operatorOf(comparison);
  const [left, right] = namedChildren(comparison);
  if (operator === null || left === undefined || right === undefined || !COMPARES.test(textOf(operator, text)))
    return false;
  const sides = [textOf(left, text), textOf(right, text)].sort();
  const alternatives = alternativesOf(comparison)
    .map((each) => textOf(each, text).replace(STARTS, '').replace(ENDS, ''))
    .sort();
  return alternatives.length === 2 && alternatives.every((each, index) => each === sides[index]);
}

/** The two alternatives: for a true and for a false condition. */
function alternativesOf(comparison: SyntaxNode): readonly SyntaxNode[] {
  const condition = PARENTHESES.test(kindOf(comparison.parent)) ? comparison.parent : comparison;
  const branch = condition?.parent ?? null;
  if (condition === null || branch === null) return [];
  // A conditional expression of Python has no fields. Its children are the value, the condition and the other value.
  const [value, middle, other] = namedChildren(branch);
  if (branch.kind === 'conditional_expression' && middle === condition && value !== undefined && other !== undefined)
    return [value, other];
  const consequence = childOf(branch, 'consequence') ?? childOf(branch, 'body');
  const alternative = childOf(branch, 'alternative') ?? nextOf(branch);
  return consequence === null || alternative === null ? [] : [consequence, alternative];
}

/** The statement after a branch, which is the alternative if there is no else. */
function nextOf(branch: SyntaxNode): SyntaxNode | null {
  const beside = namedChildren(branch.parent);
  return beside[beside.indexOf(branch) + 1] ?? null;
}
