import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { childOf, kindOf, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { SourceText } from '../../finding.ts';

const GIVES = /^(?:variable_declarator|assignment|assignment_expression)$/;
const LOADS = /\b(?:require|import)\b/;
const CHANGES = /parameter|^(?:for_\w+|augmented_assignment|arrow_function|block_parameters|lambda)$/;

/**
 * Returns names that a file assigns once, with their values. Imported modules, parameters and loop variables are left
 * out.
 */
export function constantValues({ root, text }: SourceText): ReadonlyMap<string, SyntaxNode> {
  const found = new Map<string, SyntaxNode | null>();
  for (const node of nodesOf(root)) {
    const isChanged = node.kind === 'identifier' && CHANGES.test(kindOf(node.parent)) && node.field !== 'body';
    if (isChanged) found.set(plainText(node, text), null);
    if (!GIVES.test(node.kind)) continue;
    const name = childOf(node, 'name') ?? childOf(node, 'left');
    const value = childOf(node, 'value') ?? childOf(node, 'right');
    if (name === null || value === null || !/^(?:identifier|constant)$/.test(name.kind)) continue;
    const written = plainText(name, text);
    found.set(written, found.has(written) || LOADS.test(plainText(value, text)) ? null : value);
  }
  return new Map([...found].flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])));
}
