import type { Inspection } from '../finding.ts';
import { childOf, nodesOf, textOf } from '../../syntax/walk.ts';

const NAMES = /^(?:['"]?__(?:eq|ne)__['"]?|asymmetricMatch|valueOf|\[Symbol\.toPrimitive\]|\[Symbol\.hasInstance\])$/;

const DEFINES = new Set([
  ...['method_definition', 'function_definition', 'pair', 'field_definition', 'assignment', 'assignment_expression'],
]);

/** Assertions ask the code under test whether it is equal to what is expected. */
export const redefinedEquality: Inspection = {
  kind: 'equality-redefined',
  *look({ root, text, before }) {
    for (const node of nodesOf(root)) {
      if (!DEFINES.has(node.kind)) continue;
      const left = childOf(node, 'left');
      const name =
        childOf(node, 'name') ??
        childOf(node, 'key') ??
        childOf(node, 'property') ??
        (left === null ? null : (childOf(left, 'attribute') ?? childOf(left, 'property') ?? left));
      const written = name === null ? '' : textOf(name, text);
      if (!NAMES.test(written) || (before?.text.includes(textOf(node, text)) ?? false)) continue;
      yield { line: node.line, words: `${written} decides what is equal to it` };
    }
  },
};
