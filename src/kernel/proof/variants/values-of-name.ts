import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { childOf, namedChildren, nodesOf, textOf } from '../syntax/walk.ts';

/** All values of a name in a case: from declarations, assignments and rows of a table. */
export function valuesOf(name: string, body: SyntaxNode, text: string): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (const node of nodesOf(body)) {
    const [key, value] = nameAndValue(node);
    if (key !== null && value !== null && textOf(key, text) === name) found.push(value);
  }
  return found;
}

/**
 * The values that a variable is bound to, including values that are destructured: `{ name } = f()`, `got, err := f()`.
 */
export function valuesBoundTo(name: string, body: SyntaxNode, text: string): SyntaxNode[] {
  return [...nodesOf(body)].flatMap((node) => {
    const [bound, value] = MEMBERS.has(node.kind) ? [null, null] : nameAndValue(node);
    if (bound === null || value === null) return [];
    return [...nodesOf(bound)].some((each) => each.children.length === 0 && textOf(each, text) === name) ? [value] : [];
  });
}

const MEMBERS = new Set(['pair', 'keyed_element']);
const DECLARATIONS = new Set([
  ...['variable_declarator', 'assignment_expression', 'assignment', 'short_var_declaration', 'assignment_statement'],
  ...['let_declaration', 'var_spec', ...MEMBERS],
]);

function nameAndValue(node: SyntaxNode): readonly [SyntaxNode | null, SyntaxNode | null] {
  if (!DECLARATIONS.has(node.kind)) return [null, null];
  if (node.kind === 'keyed_element') {
    const [key = null, value = null] = namedChildren(node);
    return [key, value];
  }
  const key = ['name', 'left', 'pattern', 'key'].map((field) => childOf(node, field)).find((each) => each !== null);
  const value = ['value', 'right'].map((field) => childOf(node, field)).find((each) => each !== null);
  return [key ?? null, value ?? null];
}
