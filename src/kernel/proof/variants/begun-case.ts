import type { SyntaxLanguage, SyntaxNode } from '../../../contracts/ports/syntax.ts';
import type { WrittenTests } from '../findings/tests/test-case.ts';
import type { Edit } from '../mutation/mutator.ts';
import { childOf, namedChildren } from '../syntax/walk.ts';

/** In Go and Rust what is left unused is an error or a warning, and the file may not build. */
const LANGUAGES: ReadonlySet<SyntaxLanguage> = new Set(['javascript', 'typescript', 'tsx', 'python', 'java']);
/** What may clean up is not cut off. */
const CLEANS_UP = /^(?:try|finally)_/;
const DECLARES = /declaration$/;

/**
 * Pure: the edit that ends a case behind its first assertion, where nothing but assertions and variables follow. State that is the same again after a whole case
 * is another one after a case that was only begun, whatever its period is and whatever object was asked. null: the case cannot be cut so.
 */
export function begunCase(
  body: SyntaxNode,
  tests: Pick<WrittenTests, 'assertions'>,
  language: SyntaxLanguage,
): Edit | null {
  const block = childOf(body, 'body');
  if (!LANGUAGES.has(language) || block === null) return null;
  const assertions = tests.assertions(body);
  const asserts = (statement: SyntaxNode): boolean =>
    assertions.some(({ start, end }) => start >= statement.start && end <= statement.end);
  const statements = namedChildren(block);
  const first = statements.findIndex(asserts);
  const rest = statements.slice(first + 1);
  const isCut = rest.every((each) => DECLARES.test(each.kind) || (asserts(each) && !CLEANS_UP.test(each.kind)));
  const [from, to] = [statements[first], rest.at(-1)];
  if (from === undefined || to === undefined || !isCut || !rest.some(asserts)) return null;
  return { start: from.end, end: to.end, replacement: '' };
}
