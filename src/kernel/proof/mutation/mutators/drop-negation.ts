import { namedChildren, operatorOf, textOf } from '../../syntax/walk.ts';
import type { Mutator } from '../mutator.ts';

/** `!a` becomes `a`. */
export const dropNegation: Mutator = {
  name: 'drop-negation',
  rank: 2,
  mutate: (node, { grammar, text }) => {
    if (!grammar.negations.has(node.kind)) return [];
    const operator = operatorOf(node);
    const operand = namedChildren(node)[0];
    if (operator === null || operand === undefined || !/^(?:!|not)$/.test(textOf(operator, text))) return [];
    return [{ start: node.start, end: node.end, replacement: textOf(operand, text) }];
  },
};
