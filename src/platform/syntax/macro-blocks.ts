import type { SyntaxNode } from '../../contracts/ports/syntax.ts';

const MACRO = /^[A-Z][A-Z0-9_]*\s*\(/;

/**
 * Whether the only errors of a C++ text are missing semicolons between a macro and the block after it, as in
 * `TEST_CASE("adds") { … }`: the grammar does not know what the macro expands to.
 */
export function lacksOnlySemicolons(root: SyntaxNode, text: string): boolean {
  const waiting: SyntaxNode[] = [...root.children];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'ERROR') return false;
    const isMissing = node.start === node.end && node.children.length === 0;
    const { parent } = node;
    const isOfMacro = parent?.kind === 'expression_statement' && MACRO.test(text.slice(parent.start, parent.end));
    if (isMissing && !(node.kind === ';' && isOfMacro)) return false;
    waiting.push(...node.children);
  }
  return true;
}
