import { childOf, textOf } from '../../syntax/walk.ts';
import type { Mutator } from '../mutator.ts';

/** `if (a)` becomes `if (!a)`. Loops are left alone: one that no longer ends says nothing, and costs a time limit. */
export const negateCondition: Mutator = {
  name: 'negate-condition',
  rank: 1,
  mutate: (node, { grammar, text }) => {
    if (!grammar.branches.has(node.kind)) return [];
    const condition = childOf(node, 'condition');
    if (condition === null) return [];
    return [{ start: condition.start, end: condition.end, replacement: grammar.negated(textOf(condition, text)) }];
  },
};
