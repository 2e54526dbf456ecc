import type { SyntaxLanguage, SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { FUNCTIONS } from '../findings/names.ts';
import { childOf, namedChildren, nodesOf } from '../syntax/walk.ts';

/**
 * Pure: returns the same program with an added comment in each function; null if it has no function. No test should
 * notice the comment.
 */
export function commentedSource(language: SyntaxLanguage, root: SyntaxNode, text: string): string | null {
  const comments = [...nodesOf(root)].flatMap((node) =>
    FUNCTIONS.has(node.kind) ? commentIn(node, language, text) : [],
  );
  let result = '';
  let at = 0;
  for (const each of comments.toSorted((a, b) => a.at - b.at)) {
    result += text.slice(at, each.at) + each.comment;
    at = each.at;
  }
  return comments.length === 0 ? null : result + text.slice(at);
}

function commentIn(node: SyntaxNode, language: SyntaxLanguage, text: string): { at: number; comment: string }[] {
  const body = childOf(node, 'body');
  if (body === null) return [];
  if (language !== 'python' && language !== 'ruby') {
    const isBlock = text[body.start] === '{' && body.kind !== 'object';
    return [isBlock ? { at: body.start + 1, comment: ' /* */' } : { at: body.start, comment: '/* */ ' }];
  }
  const [statement] = namedChildren(body);
  const indent =
    statement === undefined ? null : text.slice(text.lastIndexOf('\n', statement.start - 1) + 1, statement.start);
  return statement === undefined || indent === null || indent.trim() !== ''
    ? []
    : [{ at: statement.start, comment: `#\n${indent}` }];
}
