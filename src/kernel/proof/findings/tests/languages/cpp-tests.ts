import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { childOf, namedChildren, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { SourceText } from '../../finding.ts';
import { argumentsOf, firstName, functionName, lastName, literalOf } from '../../names.ts';
import { isInside } from './asserting-functions.ts';
import { compiledTests } from './compiled-tests.ts';
import type { CompiledTests } from './compiled-tests.ts';
import type { WrittenCase, WrittenTests } from './test-case.ts';

const GTEST_CASE = /^(?:GTEST_)?(?:TYPED_)?TEST(?:_[FP])?$/;
const NAMED_CASE = /^(?:CATCH_|DOCTEST_)?(?:TEST_CASE|SCENARIO|TEST_CASE_METHOD|TEST_CASE_FIXTURE)$/;
const ASSERTS =
  /^(?:(?:EXPECT|ASSERT)_\w+|(?:CATCH_|DOCTEST_)?(?:REQUIRE|CHECK)\w*|(?:DOCTEST_)?FAIL(?:_CHECK)?|ADD_FAILURE\w*|assert\w*|TEST_ASSERT\w*|BOOST_(?:CHECK|REQUIRE|TEST)\w*|check\w*|expect\w*|verify\w*|abort)$/;
/** Assertions that check no value. */
const SUCCEEDS = /^(?:SUCCEED|EXPECT_NO_FATAL_FAILURE)$/;
const CATCHES = /\.\.\.|\b(?:exception|AssertionException|TestFailureException)\b/;

const CPP: CompiledTests = {
  caseAt,
  assertionAt: (node, text) => {
    if (node.kind === 'call_expression') {
      const name = lastName(node, text);
      return ASSERTS.test(name) && !SUCCEEDS.test(name) ? node : null;
    }
    // A program without a framework fails by the value that `main` returns.
    if (node.kind === 'return_statement' && isOfMain(node, text)) {
      const value = namedChildren(node)[0];
      return value !== undefined && value.kind !== 'number_literal' && plainText(value, text) !== 'EXIT_SUCCESS'
        ? node
        : null;
    }
    return null;
  },
  subjects: (assertion) => {
    const [first, second] = assertion.kind === 'call_expression' ? argumentsOf(assertion) : namedChildren(assertion);
    // `REQUIRE(mul(6, 7) == 42)`, `return mul(6, 7) != 42`
    if (first?.kind === 'binary_expression') return namedChildren(first).slice(0, 2);
    return [first, second].filter((each) => each !== undefined);
  },
  swallows: (node, assertion, { text }) => {
    if (node.kind !== 'try_statement' || !isInside(assertion, childOf(node, 'body'))) return false;
    return node.children.some((each) => {
      const body = each.kind === 'catch_clause' ? childOf(each, 'body') : null;
      const caught = body === null ? '' : text.slice(each.start, body.start);
      return (
        body !== null && CATCHES.test(caught) && !/\b(?:throw|FAIL|ADD_FAILURE|abort)\b/.test(plainText(body, text))
      );
    });
  },
  starts: (node, within, text) =>
    node.kind === 'lambda_expression' &&
    /(?:\bthread\b[^;]*|\basync\s*)\(\s*$/.test(text.slice(Math.max(0, node.start - 80), node.start)) &&
    !/\.\s*(?:join|get|wait)\s*\(/.test(plainText(within, text)),
  branches: new Set(['if_statement']),
  arms: new Set(['case_statement']),
};

/** Reads tests of GoogleTest, Catch2 and doctest, and programs whose `main` is the test. */
export function cppTests(source: SourceText): WrittenTests {
  return compiledTests(source, CPP);
}

function caseAt(node: SyntaxNode, text: string): WrittenCase | null {
  return googleCase(node, text) ?? namedCase(node, text) ?? mainCase(node, text);
}

/** `TEST(Suite, Name) { … }`: the grammar parses it as a function. */
function googleCase(node: SyntaxNode, text: string): WrittenCase | null {
  const name = node.kind === 'function_definition' ? functionName(node) : null;
  if (!GTEST_CASE.test(plainText(name, text))) return null;
  const [suite = '', own = ''] = parametersOf(node, text);
  const isReportedAs = (reported: string): boolean => {
    const [ofSuite = '', ofCase = ''] = reported.split(' > ').slice(-2);
    return bare(ofSuite) === suite && ofCase.replace(/\/.*$/, '') === own;
  };
  const body = childOf(node, 'body');
  const skips = body !== null && namedChildren(body).some((each) => /^GTEST_SKIP\(/.test(plainText(each, text)));
  const modifier = /^DISABLED_/.test(own) || /^DISABLED_/.test(suite) ? 'DISABLED' : skips ? 'skip' : null;
  return { name: `${suite} > ${own}`, line: node.line, body: node, modifier, isReportedAs };
}

/** The name of a suite with parameters or types: `Suite` for `Some/Suite/0`. */
function bare(suite: string): string {
  return suite.split('/').find((part, at, all) => (all.length > 1 && at === 0 ? false : !/^\d+$/.test(part))) ?? suite;
}

function parametersOf(node: SyntaxNode, text: string): string[] {
  const declarator = childOf(node, 'declarator');
  const list = childOf(declarator, 'parameters');
  return list === null ? [] : namedChildren(list).map((each) => plainText(each, text));
}

/** `TEST_CASE("name", "[tag]") { … }`: a call, and a block after it. */
function namedCase(node: SyntaxNode, text: string): WrittenCase | null {
  const before = node.kind === 'compound_statement' ? statementBefore(node) : null;
  const call = before?.kind === 'expression_statement' ? firstCall(before) : null;
  if (call === null || !NAMED_CASE.test(firstName(call, text))) return null;
  const [name, tags] = argumentsOf(call).flatMap((each) =>
    [...nodesOf(each)].flatMap((part) => literalOf(part, text) ?? []),
  );
  if (name === undefined) return null;
  const written = plainText(call, text);
  const modifier =
    /\[[.!]|\[!(?:mayfail|shouldfail)\]/.test(tags ?? '') ||
    /\b(?:skip|may_fail|should_fail|expected_failures)\(/.test(written)
      ? 'skip'
      : null;
  const isReportedAs = (reported: string): boolean => reported.split(' > ').at(-1)?.trim() === name;
  return { name, line: call.line, body: node, modifier, isReportedAs };
}

function statementBefore(node: SyntaxNode): SyntaxNode | null {
  const siblings = node.parent?.children.filter(({ kind }) => kind !== 'comment') ?? [];
  return siblings[siblings.indexOf(node) - 1] ?? null;
}

function firstCall(statement: SyntaxNode): SyntaxNode | null {
  return [...nodesOf(statement)].find(({ kind }) => kind === 'call_expression') ?? null;
}

/** A program without a framework is one case. Its reported name is the name in ctest. */
function mainCase(node: SyntaxNode, text: string): WrittenCase | null {
  const name = node.kind === 'function_definition' ? functionName(node) : null;
  if (plainText(name, text) !== 'main') return null;
  if (/\bRUN_ALL_TESTS\s*\(|\b(?:Catch::Session|doctest::Context)\b/.test(text)) return null;
  return {
    name: 'main',
    line: node.line,
    body: node,
    modifier: null,
    isReportedAs: (reported) => !reported.includes(' > '),
  };
}

function isOfMain(node: SyntaxNode, text: string): boolean {
  for (let each = node.parent; each !== null; each = each.parent) {
    if (each.kind === 'lambda_expression') return false;
    if (each.kind === 'function_definition') {
      const name = functionName(each);
      return plainText(name, text) === 'main';
    }
  }
  return false;
}
