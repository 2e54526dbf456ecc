import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { firstText, lastText } from '../../../../../lib/text/first-last.ts';
import { above, childOf, namedChildren, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { SourceText } from '../../finding.ts';
import { argumentsOf, calleeOf, chainOf } from '../../names.ts';
import { compiledTests, nameOf } from './compiled-tests.ts';
import type { CompiledTests } from './compiled-tests.ts';
import type { WrittenCase, WrittenTests } from './test-case.ts';

const FAILS = /^(?:Errorf?|Fatalf?|Fail|FailNow)$/;
const ASSERTS = /^(?:assert|require|check|verify|expect|must|should|want|equals?|compare)/i;
const SUITE =
  /^(?:Equal\w*|NotEqual\w*|True|False|Nil|NotNil|NoError|Error\w*|Len|Contains|NotContains|Empty|NotEmpty|Panics\w*|ElementsMatch|Greater\w*|Less\w*|Zero|NotZero|JSONEq|Eventually|InDelta|Same|Regexp|IsType)$/;
export const EXAMPLE_OUTPUT = /^\/\/\s*(?:unordered\s+)?output:/i;
const FUNCTIONS = new Set(['function_declaration', 'method_declaration', 'func_literal']);

const GO: CompiledTests = {
  caseAt,
  assertionAt: (node, text) => {
    if (node.kind === 'comment' && EXAMPLE_OUTPUT.test(plainText(node, text))) return node;
    if (node.kind !== 'call_expression') return null;
    const chain = chainOf(node, text);
    const last = lastText(chain);
    if (chain.length >= 2 && FAILS.test(last) && !/^(?:fmt|errors|log|slog)$/.test(firstText(chain)))
      return conditionOf(node);
    if (
      chain.length >= 2 &&
      chain
        .slice(0, -1)
        .some((each) => /^(?:assert|require|is|qt|must|Assert|Require|Expect|Eventually|Consistently|Ω)$/.test(each))
    )
      return node;
    const [subject] = argumentsOf(node);
    if (ASSERTS.test(last) && /^(?:[tbf]|tb|s\.T\(\))$/.test(plainText(subject, text))) return node;
    if (isChecked(node, chain, text)) return node;
    // The methods of the suite are the cases and are inspected separately. The call fails if one of them fails.
    if (chain.join('.') === 'suite.Run') return node;
    return SUITE.test(last) && isOfReceiver(firstText(chain), node, text) ? node : null;
  },
  subjects: (assertion, text) => {
    const condition = assertion.kind === 'if_statement' ? childOf(assertion, 'condition') : null;
    if (condition !== null) return condition.kind === 'binary_expression' ? sidesOf(condition) : [condition];
    if (assertion.kind !== 'call_expression') return [];
    const all = argumentsOf(assertion);
    const chain = chainOf(assertion, text);
    if (FAILS.test(lastText(chain))) return [];
    const [first] = all;
    const values = /^(?:[tbf]|tb|s\.T\(\))$/.test(plainText(first, text)) ? all.slice(1) : all;
    const callee = calleeOf(assertion);
    return [
      ...values.slice(0, 2),
      ...(/^(?:Expect|Ω|Eventually|Consistently)$/.test(firstText(chain)) && callee !== null ? [callee] : []),
    ];
  },
  swallows: (node, _assertion, source) => {
    if (!FUNCTIONS.has(node.kind)) return false;
    const body = childOf(node, 'body');
    const deferred = body === null ? [] : statementsOf(body).filter(({ kind }) => kind === 'defer_statement');
    return deferred.some((each) => /\brecover\(\)/.test(plainText(each, source.text)) && !failsIn(each, source.text));
  },
  starts: (node, within, text) =>
    node.kind === 'go_statement' && !/\.Wait\(\)|<-|\bsync\.|\bselect\b/.test(plainText(within, text)),
  branches: new Set(['if_statement']),
  arms: new Set(['expression_case', 'type_case', 'communication_case', 'default_case']),
};

/** Reads tests of Go's package `testing`, of testify and its suites, and examples with expected output. */
export function goTests(source: SourceText): WrittenTests {
  return compiledTests(source, GO);
}

function caseAt(node: SyntaxNode, text: string): WrittenCase | null {
  if (node.kind !== 'function_declaration' && node.kind !== 'method_declaration') return null;
  const name = nameOf(node, text);
  const isMethod = node.kind === 'method_declaration';
  const isExample =
    /^Example/.test(name) && [...nodesOf(node)].some((each) => EXAMPLE_OUTPUT.test(plainText(each, text)));
  if (!(isMethod ? /^Test[A-Z0-9_]/ : /^(?:Test|Fuzz)(?![a-z])/).test(name) && (isMethod || !isExample)) return null;
  if (name === 'TestMain') return null;
  const parts = (reported: string): string[] => reported.split(/ > |\//);
  const isReportedAs = (reported: string): boolean =>
    isMethod ? parts(reported).includes(name) : parts(reported)[0] === name;
  const body = childOf(node, 'body');
  const isSkipped =
    body !== null && statementsOf(body).some((each) => /^[tbf]\.Skip(?:f|Now)?\(/.test(plainText(each, text)));
  return { name, line: node.line, body: node, modifier: isSkipped ? 'skip' : null, isReportedAs };
}

/** `c.Assert(got, qt.Equals, want)` in quicktest and gocheck. */
function isChecked(call: SyntaxNode, chain: readonly string[], text: string): boolean {
  const [, checker] = argumentsOf(call);
  const isAssert = chain.length === 2 && /^(?:Assert|Check)$/.test(chain[1] ?? '');
  return isAssert && /^(?:\w+\.)?[A-Z]\w*$/.test(plainText(checker, text));
}

/** `if got != want { t.Errorf(…) }`: the `if` statement is the assertion. */
function conditionOf(call: SyntaxNode): SyntaxNode {
  const branch = above(call, ({ kind }) => kind === 'if_statement' || FUNCTIONS.has(kind));
  return branch?.kind === 'if_statement' ? branch : call;
}

function statementsOf(block: SyntaxNode): SyntaxNode[] {
  return namedChildren(block).flatMap((each) => (each.kind === 'statement_list' ? namedChildren(each) : [each]));
}

function sidesOf(node: SyntaxNode): SyntaxNode[] {
  return [childOf(node, 'left'), childOf(node, 'right')].filter((each) => each !== null);
}

function failsIn(node: SyntaxNode, text: string): boolean {
  return [...nodesOf(node)].some((each) => GO.assertionAt(each, text) !== null);
}

/** `s.Equal(…)` in a method of the suite `s`. */
function isOfReceiver(name: string, node: SyntaxNode, text: string): boolean {
  const method = above(node, ({ kind }) => kind === 'method_declaration');
  const receiver = childOf(method, 'receiver');
  return receiver !== null && name !== '' && new RegExp(`^\\(\\s*${name}\\b`).test(plainText(receiver, text));
}
