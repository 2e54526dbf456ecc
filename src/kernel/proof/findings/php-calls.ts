import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { childOf, namedChildren, plainText } from '../syntax/walk.ts';

export const PHP_CALLS: ReadonlySet<string> = new Set([
  ...['function_call_expression', 'member_call_expression', 'nullsafe_member_call_expression'],
  'scoped_call_expression',
]);

/** A call in PHP. `name` is '' if it is computed. */
export interface PhpCall {
  readonly kind: 'function' | 'method' | 'static';
  /** The object or class as written: `$this`, `self`, `Mul`. '' for a function. */
  readonly owner: string;
  readonly name: string;
  readonly arguments: readonly SyntaxNode[];
}

export function phpCall(node: SyntaxNode, text: string): PhpCall | null {
  if (!PHP_CALLS.has(node.kind)) return null;
  const list = childOf(node, 'arguments');
  const given = namedChildren(list);
  if (node.kind === 'function_call_expression') {
    const called = childOf(node, 'function');
    return { kind: 'function', owner: '', name: writtenName(called, text), arguments: given };
  }
  const owner = childOf(node, 'object') ?? childOf(node, 'scope');
  return {
    kind: node.kind === 'scoped_call_expression' ? 'static' : 'method',
    owner: plainText(owner, text),
    name: writtenName(childOf(node, 'name'), text),
    arguments: given,
  };
}

/** The name as written, without a leading backslash; '' if it is computed. */
function writtenName(node: SyntaxNode | null, text: string): string {
  return node !== null && /^(?:qualified_|relative_)?name$/.test(node.kind)
    ? plainText(node, text).replace(/^\\/, '')
    : '';
}
