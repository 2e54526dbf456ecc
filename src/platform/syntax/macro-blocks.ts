import type { SyntaxNode } from '../../contracts/ports/syntax.ts';

const MACRO = /^[A-Z][A-Z0-9_]*\s*\(/;

/**
 * Whether a text of C++ lacks nothing but the semicolon between a macro and the block behind it: `TEST_CASE("adds") { … }` is what such a macro is for, and the
 * grammar does not know what it stands for.
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
