import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { nodesOf } from '../syntax/walk.ts';
import { EXAMPLE_OUTPUT } from './tests/languages/go-tests.ts';

const WORD = /[\p{ID_Continue}$]/u;

/**
 * Pure: returns the text without comments. They do not affect the program, but a comment between tokens could prevent a
 * pattern from matching. Each line stays on its own line, so line numbers do not change.
 */
export function withoutComments(text: string, root: SyntaxNode): string {
  let result = '';
  let at = 0;
  for (const { kind, start, end } of nodesOf(root)) {
    if (!kind.endsWith('comment') || start < at) continue;
    const comment = text.slice(start, end);
    // The comment of expected output in a Go example is an assertion.
    if (EXAMPLE_OUTPUT.test(comment)) continue;
    result += text.slice(at, start);
    at = end;
    const lines = comment.replace(/[^\n]/g, '');
    const joins = WORD.test(result.slice(-1)) && WORD.test(text.charAt(end));
    result += lines === '' && joins ? ' ' : lines;
    if (lines === '' && / $/.test(result)) while (text[at] === ' ') at += 1;
  }
  return result + text.slice(at);
}
