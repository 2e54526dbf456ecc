import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { lastText } from '../../../../../lib/text/first-last.ts';
import { above, childOf, namedChildren, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { Place, SourceText } from '../../finding.ts';
import { phpCall } from '../../php-calls.ts';
import { assertingFunctions, isInside } from './asserting-functions.ts';
import { ancestors, nameOf } from './compiled-tests.ts';
import type { WrittenCase, WrittenTests } from './test-case.ts';

const MARKED = /^#?\[?(?:\\?PHPUnit\\Framework\\Attributes\\)?Test\b|@test\b/;
const ASSERTS = /^(?:assert\w*|fail|expectException\w*|expectOutput\w*|expectError\w*|expectWarning\w*)$/i;
const EXPECTS_OUTPUT = /^expectOutput\w*$/i;
/** Assertions that only describe an expected error. */
const DEMANDS_ERROR = /^expectException(?:Object|Message|MessageMatches|Code)?$/i;
const SWITCHES_OFF = /^(?:markTestSkipped|markTestIncomplete|expectNotToPerformAssertions)$/i;
const OFF =
  /@(?:doesNotPerformAssertions|group|requires|runInSeparateProcess|ignore)\b|#\[[^\]]*\b(DoesNotPerformAssertions|Requires\w+|Group|Ticket)\b/;
const BRANCHES = new Set([
  ...['if_statement', 'else_if_clause', 'else_clause', 'switch_statement', 'match_expression'],
  ...['conditional_expression', 'while_statement', 'for_statement', 'foreach_statement'],
]);
const FUNCTIONS = new Set(['anonymous_function', 'arrow_function']);

/**
 * Reads tests of PHPUnit. Assertions in a branch, in a loop that may be empty, or in a `try` are conditional or
 * swallowed.
 */
export function phpTests(source: SourceText): WrittenTests {
  const { root, text } = source;
  const isOwn = (node: SyntaxNode): boolean => isAssertion(node, text);
  const asserted = assertingFunctions(source, isOwn, new Set());
  const assertions = (node: SyntaxNode): SyntaxNode[] =>
    [...nodesOf(node)].filter((each) => isOwn(each) || asserted.has(phpCall(each, text)?.name ?? ''));
  const cases = [...nodesOf(root)].flatMap((node) => caseAt(node, text) ?? []);
  return {
    cases,
    unread: inherited(root, text),
    assertions,
    subjects: (assertion) => subjectsOf(assertion, text),
    swallowed: (assertion, within) => ancestors(assertion, within).some((each) => swallows(each, assertion)),
    unawaited: (assertion, within) => ancestors(assertion, within).some(({ kind }) => FUNCTIONS.has(kind)),
    conditional: (assertion, within) => isConditional(assertion, within, text),
  };
}

/** The values that an assertion checks. For expected output, all calls of the case. */
function subjectsOf(assertion: SyntaxNode, text: string): SyntaxNode[] {
  const call = phpCall(assertion, text);
  if (call !== null && EXPECTS_OUTPUT.test(call.name)) {
    const method = above(assertion, ({ kind }) => kind === 'method_declaration') ?? assertion;
    const called = [...nodesOf(method)].filter((node) => {
      const name = node.kind === 'object_creation_expression' ? 'new' : phpCall(node, text)?.name;
      return name !== undefined && !ASSERTS.test(name);
    });
    if (called.length > 0) return called;
  }
  return (call?.arguments ?? []).flatMap((each) => namedChildren(each).slice(-1));
}

function caseAt(node: SyntaxNode, text: string): WrittenCase | null {
  if (node.kind !== 'method_declaration') return null;
  const method = nameOf(node, text);
  const marks = marksOf(node, text);
  if (!/^test/i.test(method) && !marks.some((each) => MARKED.test(each) || /#\[[^\]]*\bTest\b/.test(each))) return null;
  const suite = above(node, ({ kind }) => kind === 'class_declaration');
  const off = [...nodesOf(node)].map((each) => phpCall(each, text)?.name ?? '').find((name) => SWITCHES_OFF.test(name));
  const marked = markOff(node, text) ?? (suite === null ? null : markOff(suite, text));
  return {
    name: suite === null ? method : `${nameOf(suite, text)} > ${method}`,
    line: node.line,
    body: node,
    modifier: off ?? marked,
    isReportedAs: (reported) => lastText(reported.split(' > ')).replace(/ with data set .*$/s, '') === method,
  };
}

/** The mark that switches a case, or all cases of a class, off. */
export function markOff(node: SyntaxNode, text: string): string | null {
  const marked = marksOf(node, text).find((each) => OFF.test(each));
  return marked === undefined ? null : (OFF.exec(marked)?.[0] ?? null);
}

/** The attributes of a node, and the comment before it, which PHPUnit 9 uses for the same purpose. */
function marksOf(node: SyntaxNode, text: string): string[] {
  const attributes = node.children.filter(({ kind }) => kind === 'attribute_list');
  const siblings = node.parent?.children ?? [];
  const before = siblings[siblings.indexOf(node) - 1];
  const comment = before?.kind === 'comment' ? [before] : [];
  return [...attributes, ...comment].map((each) => text.slice(each.start, each.end));
}

/** The words of a finding about a base class, as against a trait. */
export const INHERITED = /^the cases inherited from /;

/** Cases that come from a trait, or from a class that does not belong to PHPUnit. */
function inherited(root: SyntaxNode, text: string): Place[] {
  return [...nodesOf(root)].flatMap((node) => {
    if (node.kind === 'use_declaration')
      return [{ line: node.line, words: `the cases from ${plainText(node, text)} cannot be examined here` }];
    if (node.kind !== 'base_clause') return [];
    const base = plainText(namedChildren(node)[0] ?? node, text);
    return /(?:^|\\)TestCase$/.test(base)
      ? []
      : [{ line: node.line, words: `the cases inherited from ${base} cannot be examined here` }];
  });
}

function isAssertion(node: SyntaxNode, text: string): boolean {
  if (node.kind === 'throw_expression') return above(node, ({ kind }) => kind === 'catch_clause') === null;
  const call = phpCall(node, text);
  if (call === null || !ASSERTS.test(call.name)) return false;
  // `expectException(Throwable::class)` accepts every error, including a missing class.
  if (DEMANDS_ERROR.test(call.name)) return !isAnyError(call.arguments[0] ?? null, text);
  return true;
}

function isAnyError(given: SyntaxNode | null, text: string): boolean {
  const written = plainText(given, text);
  return /^\\?(?:Throwable|Exception|Error|TypeError)::class$|^(['"])\\?(?:Throwable|Exception|Error|TypeError)\1$/.test(
    written,
  );
}

/** `try { … } catch (…) {}`, and a `finally` that returns. */
function swallows(node: SyntaxNode, assertion: SyntaxNode): boolean {
  if (node.kind !== 'try_statement' || !isInside(assertion, childOf(node, 'body'))) return false;
  return node.children.some(({ kind }) => kind === 'catch_clause' || kind === 'finally_clause');
}

function isConditional(assertion: SyntaxNode, within: SyntaxNode, text: string): boolean {
  let below = assertion;
  for (const each of ancestors(assertion, within)) {
    const isLoopOverRows = each.kind === 'foreach_statement' && !/^\[\s*\]$/.test(rowsOf(each, text));
    if (BRANCHES.has(each.kind) && !isLoopOverRows && below.field !== 'condition') return true;
    if (each.kind === 'compound_statement' && leavesBefore(each, below)) return true;
    below = each;
  }
  return false;
}

function isFunction({ kind }: SyntaxNode): boolean {
  return kind === 'method_declaration' || FUNCTIONS.has(kind);
}

/** The table of a loop if it is a literal; `[]` for a variable, which may be empty. */
function rowsOf(loop: SyntaxNode, text: string): string {
  const [rows] = namedChildren(loop);
  return rows?.kind === 'array_creation_expression' ? plainText(rows, text) : '[]';
}

/**
 * Whether a `return`, `goto` or exit comes before a statement of a block, also in a branch. Nested functions do not
 * count.
 */
function leavesBefore(block: SyntaxNode, statement: SyntaxNode): boolean {
  return block.children.some(
    (each) =>
      each.start < statement.start &&
      each !== statement &&
      [...nodesOf(each)].some(
        (node) =>
          /^(?:return|goto|exit|break|continue)_statement$/.test(node.kind) && !ancestors(node, each).some(isFunction),
      ),
  );
}
