import type { SyntaxLanguage, SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { childOf, nodesOf } from '../../syntax/walk.ts';
import { hollowGo } from './go.ts';
import type { HollowLanguage } from './hollow-language.ts';
import { hollowJava } from './java.ts';
import { hollowRust } from './rust.ts';

const LANGUAGES: Partial<Record<SyntaxLanguage, HollowLanguage>> = {
  go: hollowGo,
  java: hollowJava,
  rust: hollowRust,
};

/**
 * Pure: the text with the functions emptied that hold one of `lines`; null where there is none, or the language has no such form. `isTest`: nodes that stay
 * as they are.
 */
export function hollowSource(
  { language, root, text }: { readonly language: SyntaxLanguage; readonly root: SyntaxNode; readonly text: string },
  lines: ReadonlySet<number>,
  isTest: (node: SyntaxNode) => boolean,
): string | null {
  const form = LANGUAGES[language];
  if (form === undefined) return null;
  let result = '';
  let at = 0;
  for (const node of nodesOf(root)) {
    const body = childOf(node, 'body');
    if (body === null || body.start < at || isTest(node)) continue;
    const hollow = form.bodyFor(node, text);
    if (hollow === null || !holdsAny(node, lines)) continue;
    result += text.slice(at, body.start) + hollow;
    at = body.end;
  }
  if (at === 0) return null;
  const emptied = result + text.slice(at);
  return form.completed?.(emptied) ?? emptied;
}

function holdsAny({ line, endLine }: SyntaxNode, lines: ReadonlySet<number>): boolean {
  for (let each = line; each <= endLine; each += 1) if (lines.has(each)) return true;
  return false;
}
