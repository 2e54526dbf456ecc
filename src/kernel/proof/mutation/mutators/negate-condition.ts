import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { childOf, namedChildren, operatorOf, textOf } from '../../syntax/walk.ts';
import type { MutatedSource, Mutator } from '../mutator.ts';

/**
 * `if (a)` becomes `if (!a)`. Conditions of loops are left unchanged: a loop that never ends shows nothing and costs a
 * time limit.
 */
export const negateCondition: Mutator = {
  name: 'negate-condition',
  rank: 1,
  mutate: (node, source) => {
    const { grammar, text } = source;
    if (!grammar.branches.has(node.kind)) return [];
    const condition = childOf(node, 'condition');
    if (condition === null || isSwapped(condition, source)) return [];
    return [{ start: condition.start, end: condition.end, replacement: grammar.negated(textOf(condition, text)) }];
  },
};

const COMPARISONS = new Set(['<', '<=', '>', '>=', '==', '!=', '===', '!==', 'is', 'is not', 'in', 'not in']);

/** Whether the condition is a single comparison. `swapOperator` already makes its opposite. */
function isSwapped(condition: SyntaxNode, source: MutatedSource): boolean {
  const { grammar, text } = source;
  const children = namedChildren(condition);
  const [inner] = children;
  if (/^parenthesized/.test(condition.kind) && inner !== undefined && children.length === 1)
    return isSwapped(inner, source);
  const operator = grammar.binary.has(condition.kind) ? operatorOf(condition) : null;
  return operator !== null && COMPARISONS.has(textOf(operator, text).replace(/\s+/g, ' '));
}
