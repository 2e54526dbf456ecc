import type { SyntaxLanguage, SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { childOf, nodesOf } from './walk.ts';

export interface ParsedText {
  readonly language: SyntaxLanguage;
  readonly root: SyntaxNode;
  readonly text: string;
}

/**
 * Returns the new body of a function. null: the function is left unchanged, and the functions inside of it are tried.
 */
export type BodyFor = (node: SyntaxNode, text: string) => string | null;

/** Pure: returns the text with new bodies for its outermost functions; null if no body changes. */
export function replacedBodies({ root, text }: Pick<ParsedText, 'root' | 'text'>, bodyFor: BodyFor): string | null {
  let result = '';
  let at = 0;
  for (const node of nodesOf(root)) {
    const body = childOf(node, 'body');
    if (body === null || body.start < at) continue;
    const other = bodyFor(node, text);
    if (other === null) continue;
    result += text.slice(at, body.start) + other;
    at = body.end;
  }
  return at === 0 ? null : result + text.slice(at);
}

export function holdsAny({ line, endLine }: SyntaxNode, lines: ReadonlySet<number>): boolean {
  for (let each = line; each <= endLine; each += 1) if (lines.has(each)) return true;
  return false;
}
