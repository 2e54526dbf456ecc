import type { SyntaxNode } from '../../../../../../contracts/ports/syntax.ts';
import { childOf, namedChildren, nodesOf, plainText } from '../../../../syntax/walk.ts';
import type { SourceText } from '../../../finding.ts';
import { argumentsOf, calleeOf, CALLS } from '../../../names.ts';

const WRAPPERS = new Set([
  ...['parenthesized_expression', 'as_expression', 'satisfies_expression', 'non_null_expression', 'await_expression'],
]);
/** Calls that call what they are given. */
const CALLING = /(?:^|\.)(?:forEach|map|then|finally|setTimeout|setInterval|setImmediate|queueMicrotask|nextTick)$/;

/** What an expression is without brackets and types: `(send as any)` is `send`. */
export function plainObject(node: SyntaxNode, text: string): string {
  const [inner] = WRAPPERS.has(node.kind) ? namedChildren(node) : [];
  return inner === undefined ? plainText(node, text).replaceAll('?.', '.') : plainObject(inner, text);
}

/** What a file calls, as it is written; also under the name of another variable for it. */
export function calledThings({ root, text }: SourceText): ReadonlySet<string> {
  const called = new Set<string>();
  const nodes = [...nodesOf(root)];
  for (const node of nodes) {
    const callee = CALLS.has(node.kind) && node.kind !== 'new_expression' ? calleeOf(node) : null;
    if (callee === null) continue;
    const name = plainObject(callee, text);
    called.add(name.replace(/\.(?:call|apply|bind)$/, ''));
    if (CALLING.test(name)) for (const each of argumentsOf(node)) called.add(plainObject(each, text));
  }
  for (const node of nodes) {
    const [name, value] = [
      childOf(node, 'name') ?? childOf(node, 'left'),
      childOf(node, 'value') ?? childOf(node, 'right'),
    ];
    if (name !== null && value !== null && called.has(plainText(name, text))) called.add(plainObject(value, text));
  }
  return called;
}
