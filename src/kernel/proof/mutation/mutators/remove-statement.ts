import { above, childOf, namedChildren, plainText, textOf } from '../../syntax/walk.ts';
import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import type { MutatedSource, Mutator } from '../mutator.ts';

/** Log output is rarely tested. */
const LOGGING = /^(?:await\s+)?(?:this\.|self\.)?(?:console|logger|logging|log|debug)\b/;

export function isLogging(written: string): boolean {
  return LOGGING.test(written);
}

/** Removes a statement that has an effect: a call, an assignment, a thrown error. */
export const removeStatement: Mutator = {
  name: 'remove-statement',
  rank: 2,
  mutate: (node, { grammar, text }) => {
    if (!grammar.removable.has(node.kind) || grammar.isStatement?.(node) === false) return [];
    const [expression] = namedChildren(node);
    const isText = expression !== undefined && grammar.strings.has(expression.kind);
    const source = textOf(node, text);
    if (isText || isLogging(source) || /^super\b/.test(source)) return [];
    // Other files import what the top level of a file assigns. Without the assignment the file does not load, which
    // says nothing about its tests.
    if (above(node, (each) => grammar.functions.has(each.kind)) === null) return [];
    if (expression !== undefined && drivesLoop(expression, { grammar, text })) return [];
    return [{ start: node.start, end: node.end, replacement: grammar.emptyStatement }];
  },
};

/** Whether a loop needs this statement to end. */
function drivesLoop(expression: SyntaxNode, { grammar, text }: MutatedSource): boolean {
  const loop = above(expression, ({ kind }) => grammar.loops.has(kind) && !grammar.boundedLoops.has(kind));
  if (loop === null) return false;
  if (grammar.updates.has(expression.kind)) return true;
  const left = childOf(expression, 'left');
  const body = childOf(loop, 'body');
  if (left === null || body === null) return false;
  const header = text.slice(loop.start, body.start) + text.slice(body.end, loop.end);
  return header.split(/[^\p{ID_Continue}$]+/u).includes(plainText(left, text));
}
