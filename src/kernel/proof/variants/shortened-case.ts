import type { SyntaxLanguage, SyntaxNode } from '../../../contracts/ports/syntax.ts';
import type { WrittenTests } from '../findings/tests/languages/test-case.ts';
import type { Edit } from '../mutation/mutator.ts';
import { childOf, childOrSelf, kindOf, namedChildren, nodesOf, textOf } from '../syntax/walk.ts';

/** Statements that may clean up. They must not be removed. */
const CLEANS_UP = /^(?:try|finally)_/;
const DECLARES = /declaration$/;
const AWAITS: ReadonlySet<string> = new Set(['await_expression', 'return_statement']);
const HANDED: ReadonlySet<string> = new Set(['await_expression', 'return_statement', 'arguments', 'array']);
/** The value that a Rust case returns when it passes. */
const PASSES = 'Ok(())';

/**
 * Pure: returns the edit that ends a case after its first assertion. It is only made if all later statements are
 * assertions or declarations. A source may count its calls so that its state is the same again after each complete
 * case. After a shortened case that state differs. null if the case cannot be shortened.
 */
export function shortenedCase(
  body: SyntaxNode,
  tests: Pick<WrittenTests, 'assertions'>,
  { language, text }: { readonly language: SyntaxLanguage; readonly text: string },
): Edit | null {
  const block = childOf(body, 'body');
  if (language === 'ruby' || block === null) return null;
  const assertions = tests.assertions(body);
  const asserts = (statement: SyntaxNode): boolean =>
    assertions.some(({ start, end }) => start >= statement.start && end <= statement.end);
  // In Go, the statements of a block are in a list.
  const statements = namedChildren(block)
    .flatMap((each) => (each.kind === 'statement_list' ? namedChildren(each) : [each]))
    .filter((each) => textOf(each, text) !== PASSES);
  const first = statements.findIndex(asserts);
  const rest = statements.slice(first + 1);
  const isCut = rest.every((each) => DECLARES.test(each.kind) || (asserts(each) && !CLEANS_UP.test(each.kind)));
  const [from, to] = [statements[first], rest.at(-1)];
  if (from === undefined || to === undefined || !isCut || !rest.some(asserts)) return null;
  if (isAwaitedLater(statements.slice(0, first + 1), rest, text)) return null;
  if (language !== 'go' && language !== 'rust') return { start: from.end, end: to.end, replacement: '' };
  const leaves = language === 'go' ? '\nif true {\nreturn\n}' : leavesRust(body, text);
  return leaves === null ? null : { start: from.end, end: from.end, replacement: leaves };
}

/**
 * Whether a promise is created before the cut and awaited after it. Its rejection would have no handler and would end
 * the run.
 */
function isAwaitedLater(kept: readonly SyntaxNode[], cut: readonly SyntaxNode[], text: string): boolean {
  const begun = new Set(
    kept
      .flatMap((statement) => [...nodesOf(statement)])
      .filter((node) => node.kind === 'variable_declarator' && childOf(node, 'value')?.kind === 'call_expression')
      .map((node) => textOf(childOrSelf(node, 'name'), text)),
  );
  return cut
    .flatMap((statement) => [...nodesOf(statement)])
    .filter(({ kind }) => AWAITS.has(kind))
    .flatMap((node) => [...nodesOf(node)])
    .some((node) => node.kind === 'identifier' && HANDED.has(kindOf(node.parent)) && begun.has(textOf(node, text)));
}

/** Unused code is an error or a warning in Go and Rust. So the rest of the case stays, but is not reached. */
function leavesRust(body: SyntaxNode, text: string): string | null {
  const type = childOf(body, 'return_type');
  if (type === null) return ' if true { return; }';
  return /\bResult\b/.test(textOf(type, text)) ? ` if true { return ${PASSES}; }` : null;
}
