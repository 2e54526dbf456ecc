import { above, namedChildren, textOf } from '../../syntax/walk.ts';
import type { Mutator } from '../mutator.ts';

/** What is written to a log is rarely what a test is about. */
const LOGGING = /^(?:await\s+)?(?:this\.|self\.)?(?:console|logger|logging|log|debug)\b/;

/** A statement with an effect is gone: a call, an assignment, a thrown error. */
export const removeStatement: Mutator = {
  name: 'remove-statement',
  rank: 2,
  mutate: (node, { grammar, text }) => {
    if (!grammar.removable.has(node.kind) || grammar.isStatement?.(node) === false) return [];
    const [expression] = namedChildren(node);
    const isText = expression !== undefined && grammar.strings.has(expression.kind);
    const source = textOf(node, text);
    if (isText || LOGGING.test(source) || /^super\b/.test(source)) return [];
    // At the top of a file, an assignment is what others import: without it the file does not load, which says nothing of its tests.
    if (above(node, (each) => grammar.functions.has(each.kind)) === null) return [];
    if (grammar.updates.has(expression?.kind ?? '') && above(node, (each) => grammar.loops.has(each.kind)) !== null) {
      return [];
    }
    return [{ start: node.start, end: node.end, replacement: grammar.emptyStatement }];
  },
};
