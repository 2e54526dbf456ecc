import { childOf, namedChildren, plainText, textOf } from '../../syntax/walk.ts';
import type { Mutator } from '../mutator.ts';

/** `Math.min` becomes `Math.max`, and `a.trim()` becomes `a`. */
export const swapCall: Mutator = {
  name: 'swap-call',
  rank: 2,
  mutate: (node, { grammar, text }) => {
    const callee = grammar.calls.has(node.kind) ? childOf(node, 'function') : null;
    if (callee === null) return [];
    const other = grammar.similarCalls[plainText(callee, text)];
    if (other !== undefined) return [{ start: callee.start, end: callee.end, replacement: other }];
    const object = namedChildren(callee)[0];
    const method = childOf(callee, 'property') ?? childOf(callee, 'attribute');
    const similar = method === null ? undefined : grammar.similarCalls[`.${textOf(method, text)}`];
    if (object === undefined || method === null || similar === undefined) return [];
    if (similar !== '') return [{ start: method.start, end: method.end, replacement: similar.slice(1) }];
    // A copy is rarely tested, and `removeStatement` already removes a call that is a statement.
    const isCopy = textOf(node, text).endsWith('.slice()');
    if (isCopy || node.parent?.kind === 'expression_statement') return [];
    return [{ start: object.end, end: node.end, replacement: '' }];
  },
};
