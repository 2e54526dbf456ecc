import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { ownValue } from '../../../../lib/own-value.ts';
import { childOf, kindOf, namedChildren, nodesOf, plainText } from '../../syntax/walk.ts';
import type { InspectedFile, Inspection } from '../finding.ts';
import { argumentsOf, calleeOf, CALLS, chainOf } from '../names.ts';
import { addedNodes } from '../added-nodes.ts';

const LISTS = new Set(['array', 'list', 'tuple', 'set', 'dictionary', 'object']);
const LOOPS = new Set(['for_in_statement', 'for_statement']);
/** Functions that make a case of each entry, and the index of their table argument. */
const TABLE_OF: Readonly<Record<string, number>> = { each: 0, for: 0, parametrize: 1 };

/** A table without entries makes no case, and a loop over it runs no assertion. */
export const emptyTable: Inspection = {
  kind: 'empty-table',
  *look(file) {
    for (const node of addedNodes(file)) {
      const table = tableOf(node, file.text);
      if (table !== null && isEmpty(table, file))
        yield { line: node.line, words: `${plainText(table, file.text)} has no entries, so nothing is tested with it` };
    }
  },
};

function tableOf(node: SyntaxNode, text: string): SyntaxNode | null {
  if (LOOPS.has(node.kind)) return childOf(node, 'right');
  if (!CALLS.has(node.kind)) return null;
  const callee = calleeOf(node);
  const [last = '', ...before] = chainOf(callee, text).toReversed();
  if (last === 'forEach') return childOf(callee, 'object');
  const place = before.length === 0 ? undefined : ownValue(TABLE_OF, last);
  return place === undefined ? null : (argumentsOf(node)[place] ?? null);
}

/** Whether a list has no entries. It may be a literal or the only value of a name in the file. */
function isEmpty(table: SyntaxNode, { root, text }: InspectedFile): boolean {
  if (LISTS.has(table.kind)) return namedChildren(table).length === 0;
  if (CALLS.has(table.kind)) return /^range\((?:0|0, *0)\)$/.test(plainText(table, text));
  if (table.kind !== 'identifier') return false;
  const name = plainText(table, text);
  const values = [...nodesOf(root)].flatMap((node) => {
    const declared = childOf(node, 'name') ?? childOf(node, 'left');
    const value = childOf(node, 'value') ?? childOf(node, 'right');
    return declared === null || value === null || plainText(declared, text) !== name ? [] : [value];
  });
  // A member access may fill it later: `cases.push(…)`.
  const isFilled = [...nodesOf(root)].some(
    ({ field, parent, start, end }) =>
      text.slice(start, end) === name && field === 'object' && /member|attribute|subscript/.test(kindOf(parent)),
  );
  const [only] = values;
  return (
    only !== undefined && values.length === 1 && !isFilled && LISTS.has(only.kind) && namedChildren(only).length === 0
  );
}
