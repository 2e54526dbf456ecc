import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { firstText } from '../../../../../lib/text/first-last.ts';
import { above, childOf, namedChildren, plainText } from '../../../syntax/walk.ts';
import type { SourceText } from '../../finding.ts';
import { argumentsOf, methodsOf } from '../../names.ts';
import { isInside } from './asserting-functions.ts';
import { compiledTests, nameOf } from './compiled-tests.ts';
import type { CompiledTests } from './compiled-tests.ts';
import type { WrittenCase, WrittenTests } from './test-case.ts';

const CASES = /^@(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property)\b/;
const OFF = /^@(?:[\w.]+\.)?(Disabled|Ignore)\b/;
const EXPECTS = /^@(?:[\w.]+\.)?Test\s*\([\s\S]*\bexpected\s*=/;
const ASSERTS = /^(?:assert\w*|fail\w*|verify\w*|expect\w*|then\w*|check\w*|must\w*|should\w*)$/;
/** Calls that need a matcher after them. `assertThat(a)` with one argument asserts nothing. */
const BEGINS = /^(?:assertThat|assertThatObject|then|expect)$/;
const CATCHES = /\b(?:Throwable|AssertionError|AssertionFailedError|Error)\b/;

const JAVA: CompiledTests = {
  caseAt,
  assertionAt: (node, text) => {
    if (node.kind === 'assert_statement') return node;
    if (node.kind !== 'method_invocation' || node.field === 'object') return null;
    const chain = methodsOf(node, text);
    const first = chain.findIndex((each) => ASSERTS.test(each));
    if (first === -1) return null;
    const isBare = chain.length === 1 && BEGINS.test(firstText(chain)) && argumentsOf(node).length < 2;
    return isBare ? null : node;
  },
  around: (body, text) => annotationsOf(body).filter((each) => EXPECTS.test(plainText(each, text))),
  subjects: (assertion) => {
    if (assertion.kind === 'assert_statement') return namedChildren(assertion).slice(0, 1);
    const all: SyntaxNode[] = [];
    for (let each: SyntaxNode | null = assertion; each?.kind === 'method_invocation'; each = childOf(each, 'object'))
      all.unshift(...argumentsOf(each));
    return all.slice(0, 2);
  },
  swallows: (node, assertion, { text }) => {
    if (!/^try_/.test(node.kind) || !isInside(assertion, childOf(node, 'body'))) return false;
    return node.children.some((each) => {
      if (each.kind !== 'catch_clause') return false;
      const caught = each.children.find(({ kind }) => kind === 'catch_formal_parameter');
      const body = childOf(each, 'body');
      const isPassedOn = /\b(?:throw|fail|assert\w*)\b/.test(plainText(body, text));
      return CATCHES.test(plainText(caught, text)) && !isPassedOn;
    });
  },
  starts: (node, within, text) =>
    node.kind === 'lambda_expression' &&
    /(?:new Thread\(|\.submit\(|\.execute\(|runAsync\()\s*$/.test(text.slice(0, node.start)) &&
    !/\.(?:join|get|await\w*|invokeAll)\(/.test(plainText(within, text)),
  branches: new Set(['if_statement']),
  arms: new Set(['switch_block_statement_group', 'switch_rule']),
};

/** Reads tests of JUnit, with assertions of JUnit, AssertJ, Hamcrest and Truth, and `verify` of Mockito. */
export function javaTests(source: SourceText): WrittenTests {
  return compiledTests(source, JAVA);
}

function caseAt(node: SyntaxNode, text: string): WrittenCase | null {
  const annotations =
    node.kind === 'method_declaration' ? annotationsOf(node).map((each) => plainText(each, text)) : [];
  if (!annotations.some((each) => CASES.test(each))) return null;
  const suite = above(node, ({ kind }) => kind === 'class_declaration');
  const method = nameOf(node, text);
  const name = suite === null ? method : `${nameOf(suite, text)} > ${method}`;
  const isReportedAs = (reported: string): boolean =>
    reported.split(' > ').some((each) => each.replace(/\W.*$/s, '') === method);
  const modifier = annotations.map((each) => OFF.exec(each)?.[1]).find((each) => each !== undefined) ?? null;
  return { name, line: node.line, body: node, modifier, isReportedAs };
}

function annotationsOf(node: SyntaxNode): SyntaxNode[] {
  const modifiers = node.children.find(({ kind }) => kind === 'modifiers');
  return modifiers?.children.filter(({ kind }) => kind === 'annotation' || kind === 'marker_annotation') ?? [];
}
