import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { isRustTestAttribute } from '../../../in-source/rust-items.ts';
import { above, childOf, kindOf, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { SourceText } from '../../finding.ts';
import { calleeOf } from '../../names.ts';
import { compiledTests, nameOf } from './compiled-tests.ts';
import type { CompiledTests } from './compiled-tests.ts';
import type { WrittenCase, WrittenTests } from './test-case.ts';

const ASSERTS =
  /^(?:\w+::)*(?:(?:debug_)?assert\w*|prop_assert\w*|panic|unreachable|unimplemented|check\w*|expect\w*|verify\w*)$/;
/** Calls that fail the case if there is no error. */
const ASKS_FOR_ERROR = /\.(?:unwrap_err|expect_err)$/;
/** `command.assert().success()` of assert_cmd. */
const ASSERTS_COMMAND = /\.assert\(\)[\s\S]*\.(?:success|failure|code|stdout|stderr)$/;
const TEST_CASES = /^#\s*\[\s*(?:\w+\s*::\s*)*(?:test|rstest|test_case|case)\b/;

const RUST: CompiledTests = {
  caseAt,
  assertionAt: (node, text) => {
    if (node.kind === 'try_expression') return node;
    const called = node.kind === 'macro_invocation' ? childOf(node, 'macro') : null;
    if (called !== null) return ASSERTS.test(plainText(called, text)) ? node : null;
    const callee = node.kind === 'call_expression' ? calleeOf(node) : null;
    const written = plainText(callee, text);
    return ASKS_FOR_ERROR.test(written) || ASSERTS_COMMAND.test(written) ? node : null;
  },
  around: (body, text) => attributesOf(body).filter((each) => /\bshould_panic\b/.test(plainText(each, text))),
  subjects: (assertion, text) => {
    const tokens = assertion.children.find(({ kind }) => kind === 'token_tree');
    return tokens === undefined ? [] : argumentsIn(tokens, text);
  },
  swallows: (node, assertion, { text }) => {
    const callee = node.kind === 'call_expression' ? calleeOf(node) : null;
    if (callee === null || !/\bcatch_unwind$/.test(plainText(callee, text)) || assertion.start < callee.end)
      return false;
    // The result of `catch_unwind` is used: resumed, unwrapped or asserted.
    const isUsed =
      /^(?:try_expression|match_expression)$/.test(kindOf(node.parent)) ||
      /^\s*\.\s*(?!ok\b)\w/.test(text.slice(node.end));
    const declared = node.parent?.kind === 'let_declaration' ? childOf(node.parent, 'pattern') : null;
    const name = declared === null ? '_' : plainText(declared, text);
    const rest = above(node, ({ kind }) => kind === 'function_item');
    const isNamed =
      !name.startsWith('_') && rest !== null && new RegExp(`\\b${name}\\b`).test(text.slice(node.end, rest.end));
    return !isUsed && !isNamed;
  },
  starts: (node, within, text) => {
    const callee = node.kind === 'call_expression' ? calleeOf(node) : null;
    return (
      /\bspawn\w*$/.test(plainText(callee, text)) &&
      !/\.join\(|\.await\b|\bscope\(|\brecv\w*\(/.test(plainText(within, text))
    );
  },
  branches: new Set(['if_expression']),
  arms: new Set(['match_arm']),
};

/** Reads unit and integration tests: functions with `#[test]` or another test attribute. */
export function rustTests(source: SourceText): WrittenTests {
  return compiledTests(source, RUST);
}

function caseAt(node: SyntaxNode, text: string): WrittenCase | null {
  const attributes = node.kind === 'function_item' ? attributesOf(node).map((each) => plainText(each, text)) : [];
  if (!attributes.some((each) => TEST_CASES.test(each) && isRustTestAttribute(each))) return null;
  const modules: string[] = [];
  for (let each = node.parent; each !== null; each = each.parent)
    if (each.kind === 'mod_item') modules.unshift(nameOf(each, text));
  const name = [...modules, nameOf(node, text)].join(' > ');
  // In a report, the module of the file comes before the name, and a row of a table after it.
  const isReportedAs = (reported: string): boolean => ` > ${reported} > `.includes(` > ${name} > `);
  const modifier = attributes.some((each) => /^#\s*\[\s*ignore\b/.test(each)) ? 'ignore' : null;
  return { name, line: node.line, body: node, modifier, isReportedAs };
}

function attributesOf(node: SyntaxNode): SyntaxNode[] {
  const siblings = node.parent?.children ?? [];
  const before = siblings.filter(({ end }) => end <= node.start).reverse();
  const last = before.findIndex(({ kind }) => kind !== 'attribute_item' && !kind.endsWith('comment'));
  return before.slice(0, last === -1 ? before.length : last).filter(({ kind }) => kind === 'attribute_item');
}

/**
 * The arguments of a macro, split at its commas. A macro has only tokens, so each argument becomes a node of kind
 * `parenthesized_expression`.
 */
function argumentsIn(tokens: SyntaxNode, text: string): SyntaxNode[] {
  const inner = tokens.children.slice(1, -1);
  const parts: SyntaxNode[][] = [[]];
  for (const each of inner) {
    if (plainText(each, text) === ',') parts.push([]);
    else parts.at(-1)?.push(each);
  }
  const found = parts.flatMap((part): SyntaxNode[] => {
    const [first, last] = [part[0], part.at(-1)];
    if (first === undefined || last === undefined) return [];
    return [{ ...tokens, kind: 'parenthesized_expression', start: first.start, end: last.end, children: part }];
  });
  // A message is not an asserted value.
  return found
    .filter(
      (each, index) =>
        index === 0 ||
        ![...nodesOf(each)].every(({ kind, named }) => !named || /string|parenthesized/.test(kind)) ||
        found.length === 2,
    )
    .slice(0, 2);
}
