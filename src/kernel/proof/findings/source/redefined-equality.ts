import type { Inspection } from '../finding.ts';
import { childOf, nodesOf, textOf } from '../../syntax/walk.ts';

const NAMES = /^(?:__eq__|__ne__|asymmetricMatch|valueOf|\[Symbol\.toPrimitive\]|\[Symbol\.hasInstance\])$/;

/** Assertions ask the code under test whether it is equal to what is expected. */
export const redefinedEquality: Inspection = {
  kind: 'equality-redefined',
  *look({ root, text, before }) {
    for (const node of nodesOf(root)) {
      if (!['method_definition', 'function_definition', 'pair', 'field_definition'].includes(node.kind)) continue;
      const name = childOf(node, 'name') ?? childOf(node, 'key') ?? childOf(node, 'property');
      const written = name === null ? '' : textOf(name, text);
      if (!NAMES.test(written) || (before?.text.includes(textOf(node, text)) ?? false)) continue;
      yield { line: node.line, words: `${written} decides what is equal to it` };
    }
  },
};
