import type { SyntaxLanguage, SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { firstText, lastText } from '../../../lib/text/first-last.ts';
import { argumentsOf, calleeOf, CALLS, chainOf, FUNCTIONS, lastName, methodsOf } from '../findings/names.ts';
import { phpCall } from '../findings/php-calls.ts';
import type { WrittenTests } from '../findings/tests/languages/test-case.ts';
import type { Edit } from '../mutation/mutator.ts';
import { childOf, childOrSelf, isKey, kindOf, namedChildren, nodesOf, textOf } from '../syntax/walk.ts';
import { sidesInTokens, sidesOfMethod, comparedValues } from './equality-methods.ts';
import { alternatives, alternativesInTokens } from './alternatives.ts';
import type { Sides } from './equality-methods.ts';
import { eitherWay, equalSides } from './equal-sides.ts';
import { ownComparison } from './own-comparison.ts';
import { otherValue } from './other-value.ts';
import { valuesBoundTo, valuesOf } from './values-of-name.ts';

/** A case with one wrong expected value. The case has to fail. */
export interface WrongExpectation {
  readonly line: number;
  readonly edits: readonly Edit[];
}

/** The last name in the call of an equality assertion, in all languages. */
const EQUALITY =
  /^(?:assert)?_?(?:(?:deep)?_?(?:strict)?_?equals?|deepStrictEqual|is|same|eql?|EqualValues|Exactly|toBe|toEqual|toStrictEqual|toHaveLength|toMatchObject|toMatchInlineSnapshot|toBeCloseTo|closeTo|approximately|AlmostEqual|allclose|Equals|ArrayEquals|IterableEquals|(?:List|Dict|Tuple|Set|Sequence|MultiLine)Equal|CountEqual|isEqualTo|must_equal)$/i;
const HOLDS = /^(?:assertTrue|isTrue|True|ok|assert)$/;
const BEGINS_WITH_ACTUAL = /^(?:expect|assertThat|should)$/;
const VARIABLES = new Set([
  'variable_name',
  'identifier',
  'member_expression',
  'selector_expression',
  'field_access',
  'attribute',
]);
/** Names that may be part of a constant value. */
const CONSTRUCTORS = new Set(['Some', 'Ok', 'Err', 'vec', 'undefined', 'NaN', 'Infinity']);

/** Returns the wrong expectations that can be written into a case, in the order of its assertions. */
export function wrongExpectations(
  body: SyntaxNode,
  tests: Pick<WrittenTests, 'assertions' | 'subjects'>,
  { language, text }: { readonly language: SyntaxLanguage; readonly text: string },
): WrongExpectation[] {
  const known = new Set<string>();
  return tests.assertions(body).flatMap((assertion) => {
    const compared = comparisons(assertion, tests, language, text);
    if (compared.length === 0) return ownExpectation(assertion, body, text);
    return compared.flatMap(([actual, expected]) => {
      const constructs = language === 'go' ? CONSTRUCTS_IN_GO : CONSTRUCTS;
      const isCall = actual !== null && CALLS.has(actual.kind);
      const isAsked =
        actual === null ||
        (constantEdits(actual, body, text) === null && constructedFrom(actual, text, constructs).length === 0);
      const edits = constantEdits(expected, body, text);
      const all =
        edits === null ? constructedEdits(expected, { body, text }, isCall ? constructs : CONSTRUCTS) : [edits];
      return all.flatMap((each) => {
        const key = each.map(({ start }) => start).join(' ');
        if (!isAsked || known.has(key)) return [];
        known.add(key);
        return [{ line: assertion.line, edits: each }];
      });
    });
  });
}

/** An assertion of a helper of the project. All its arguments except the tested value are changed together. */
function ownExpectation(assertion: SyntaxNode, body: SyntaxNode, text: string): WrongExpectation[] {
  const edits = ownComparison(assertion, text).flatMap((each) => constantEdits(each, body, text) ?? []);
  return edits.length === 0 ? [] : [{ line: assertion.line, edits }];
}

function comparisons(
  assertion: SyntaxNode,
  tests: Pick<WrittenTests, 'subjects'>,
  language: SyntaxLanguage,
  text: string,
): Sides[] {
  if (language === 'go' && assertion.kind === 'if_statement') {
    const condition = childOf(assertion, 'condition');
    return condition === null ? [] : unequalIn(condition, text);
  }
  if (language === 'rust') {
    const macro = childOf(assertion, 'macro');
    const [one, other] = tests.subjects(assertion);
    if (/(?:^|::)(?:debug_)?assert$/.test(textOf(macro, text)))
      return one === undefined ? [] : [...sidesInTokens(one, text), ...alternativesInTokens(one, text)];
    const isEqual = /(?:^|::)(?:debug_)?assert_eq$/.test(textOf(macro, text));
    return isEqual && one !== undefined && other !== undefined ? eitherWay(one, other) : [];
  }
  if (assertion.kind === 'assert_statement') return namedChildren(assertion).slice(0, 1).flatMap(equalIn);
  return inCall(assertion, language, text);

  function equalIn(node: SyntaxNode): Sides[] {
    return [...equalSides(node, text, '=='), ...alternatives(node, text)];
  }
}

function inCall(assertion: SyntaxNode, language: SyntaxLanguage, text: string): Sides[] {
  if (language === 'ruby') return rubySides(assertion, text);
  if (language === 'php') return phpSides(assertion, text);
  const chain = language === 'java' ? methodsOf(assertion, text) : chainOf(assertion, text);
  const given = argumentsOf(assertion);
  if (chain.includes('not')) return [];
  const values = language === 'go' && /^(?:t|b|f|tb|s\.T\(\))$/.test(first(given, text)) ? given.slice(1) : given;
  const [one, other] = values;
  if (!EQUALITY.test(lastText(chain))) {
    // `assert.ok(a === b)`, `self.assertTrue(a == b)`, `assertTrue(a.equals(b))`.
    if (one === undefined) return [];
    const asked = HOLDS.test(lastText(chain)) ? [...sidesOfMethod(one, text), ...alternatives(one, text)] : [];
    return [...asked, ...equalSides(one, text, '==', '==='), ...alternatives(assertion, text)];
  }
  if (one === undefined) return [];
  if (BEGINS_WITH_ACTUAL.test(firstText(chain)) || chain.includes('should')) return [[null, one]];
  return other === undefined ? [] : [...eitherWay(one, other), ...comparedValues(one, other, text)];
}

/** `$this->assertSame(42, $a)`. */
function phpSides(assertion: SyntaxNode, text: string): Sides[] {
  const call = phpCall(assertion, text);
  const [one, other] = (call?.arguments ?? []).flatMap((each) => namedChildren(each).slice(-1));
  if (call === null || one === undefined) return [];
  if (/^assert(?:Same|Equals|EqualsCanonicalizing|EqualsIgnoringCase|StringEquals\w*)$/.test(call.name))
    return other === undefined ? [] : eitherWay(one, other);
  const isTrue = call.name === 'assertTrue' ? [...equalSides(one, text, '==', '==='), ...alternatives(one, text)] : [];
  return [...isTrue, ...alternatives(assertion, text)];
}

/** `assert_equal 42, a`, `assert a == 42`, `_(a).must_equal 42`, `expect(a).to eq(42)`. */
function rubySides(assertion: SyntaxNode, text: string): Sides[] {
  const name = lastName(assertion, text);
  const [one, other] = argumentsOf(assertion);
  if (one === undefined) return [];
  if (/^(?:to|should)$/.test(name)) {
    return matcherSides(one, text);
  }
  if (/^must_(?:equal|be_same_as)$/.test(name)) return [[null, one]];
  if (/^assert_(?:equal|same)$/.test(name)) return other === undefined ? [] : eitherWay(one, other);
  return [...(name === 'assert' ? equalSides(one, text, '==') : []), ...alternatives(assertion, text)];
}

/** `eq(42)`, and each of `eq(42).or eq(13)`. */
function matcherSides(matcher: SyntaxNode, text: string): Sides[] {
  const name = matcher.kind === 'call' ? lastName(matcher, text) : '';
  const [expected] = argumentsOf(matcher);
  if (expected === undefined) return [];
  const receiver = name === 'or' ? childOf(matcher, 'receiver') : null;
  if (receiver !== null) return [receiver, expected].flatMap((each) => matcherSides(each, text));
  return /^(?:eql?|equal|be)$/.test(name) ? [[null, expected]] : alternatives(matcher, text);
}

function first(nodes: readonly SyntaxNode[], text: string): string {
  const [node] = nodes;
  return textOf(node, text);
}

/**
 * The compared values in a condition under which a Go test fails: `got != want`, `!reflect.DeepEqual(got, want)`,
 * `!got.Equal(want)`, `got.Cmp(want) != 0`.
 */
function unequalIn(condition: SyntaxNode, text: string): Sides[] {
  return [...nodesOf(condition)].flatMap((node) => {
    if (node.kind === 'binary_expression') {
      const sides = equalSides(node, text, '!=');
      const [one, other] = sides[0] ?? [];
      return one === undefined || one === null || other === undefined
        ? sides
        : [...sides, ...comparedValues(one, other, text)];
    }
    const call = node.kind === 'unary_expression' ? childOf(node, 'operand') : null;
    if (call?.kind !== 'call_expression' || !textOf(node, text).startsWith('!')) return [];
    const asked = sidesOfMethod(call, text);
    if (asked.length > 0) return asked;
    const [one, other] = argumentsOf(call);
    const isEqual = /Equal$/.test(lastName(call, text));
    return isEqual && one !== undefined && other !== undefined ? eitherWay(one, other) : [];
  });
}

/**
 * Edits that change a constant, either in its place or in the declaration of a variable of the case. null if the node
 * is not a constant.
 */
function constantEdits(node: SyntaxNode, body: SyntaxNode, text: string): readonly Edit[] | null {
  if (VARIABLES.has(node.kind)) {
    const name = textOf(node, text);
    if (isInput(name, body, text) || isResult(name, body, text)) return null;
    const edits = valuesOf(lastText(name.split('.')), body, text).flatMap((value) =>
      isConstant(value, text) ? (otherValue(value, text) ?? []) : [null],
    );
    return edits.length === 0 || edits.includes(null) ? null : edits.filter((each) => each !== null);
  }
  const edit = isConstant(node, text) ? otherValue(node, text) : null;
  return edit === null ? null : [edit];
}

/**
 * Edits that change one argument of `new Product(42)` each, because an equality may ignore one of the arguments. The
 * node may be a variable of the case.
 */
function constructedEdits(
  node: SyntaxNode,
  { body, text }: { readonly body: SyntaxNode; readonly text: string },
  constructs: RegExp,
): (readonly Edit[])[] {
  const isNamed = node.kind === 'identifier' && !isInput(textOf(node, text), body, text);
  const [value, ...more] = isNamed ? valuesOf(textOf(node, text), body, text) : [node];
  if (value === undefined || more.length > 0) return [];
  return constructedFrom(value, text, constructs).flatMap((each) => {
    const edit = isConstant(each, text) ? otherValue(each, text) : null;
    return edit === null ? [] : [[edit]];
  });
}

/** Names of calls that create a value from their arguments: `Product(42)`, `Money.of(5)`, `pytest.approx(0.3)`. */
const CONSTRUCTS = /(?:^|\.)(?:_?[A-Z]\w*|[A-Z]\w*\.(?:of|from|create|parse|make)\w*|approx)$/;

/** In Go, any exported function has a capital letter: `Mul(6, 7)` may be the tested function. */
const CONSTRUCTS_IN_GO = /(?:^|\.)(?:New|Must|Make|Of|From|Parse)\w*$/;

/** The arguments of a call that creates a value from them. Of `approx`, only the first: the others are tolerances. */
function constructedFrom(node: SyntaxNode, text: string, constructs: RegExp): readonly SyntaxNode[] {
  if (!CALLS.has(node.kind) || node.kind === 'macro_invocation') return [];
  const callee = calleeOf(node);
  const name = textOf(callee, text);
  const isMade = /^(?:new|object_creation)_expression$/.test(node.kind) || constructs.test(name);
  const given = argumentsOf(node).map((each) => (each.kind === 'keyword_argument' ? childOrSelf(each, 'value') : each));
  if (!isMade) return [];
  return name.endsWith('approx') ? given.slice(0, 1) : given;
}

function isConstant(node: SyntaxNode, text: string): boolean {
  return [...nodesOf(node)].every((each) => {
    if (CALLS.has(each.kind) || each.kind === 'template_substitution' || each.kind === 'interpolation') return false;
    if (!VARIABLES.has(each.kind) || isKey(each)) return true;
    return CONSTRUCTORS.has(textOf(each, text));
  });
}

/** Functions that only compare or report. */
const REPORTS = /assert|expect|require|equal|^is$|error|fatal|log|print|skip/i;

/**
 * Calls that create an object, whatever it is named: `new AppError`, `AppError`, `shop.AppError`; but not
 * `require.EqualError`.
 */
const MAKES = /^(?:new\s+)?(?:[A-Z]\w*|(?!assert|require|[a-z]\.)[\w.]+\.[A-Z]\w+(?:Error|Exception))$/;

/**
 * Whether a variable, or the object that it belongs to, is passed to the tested code. If its value changes, the result
 * may change too.
 */
function isInput(name: string, body: SyntaxNode, text: string): boolean {
  const [root = ''] = name.split('.');
  return [...nodesOf(body)].some((node) => {
    const isWhole = (VARIABLES.has(node.kind) || node.kind.startsWith('shorthand_')) && textOf(node, text) === name;
    const isRoot = node.kind === 'identifier' && textOf(node, text) === root && !VARIABLES.has(kindOf(node.parent));
    return (isWhole || isRoot) && isGiven(node, text);
  });
}

/**
 * Whether a variable, or the object that it belongs to, contains the result of a call. A constant of the case can have
 * the same name.
 */
function isResult(name: string, body: SyntaxNode, text: string): boolean {
  const [root = ''] = name.split('.');
  return valuesBoundTo(root, body, text).some((value) => [...nodesOf(value)].some(({ kind }) => CALLS.has(kind)));
}

function isGiven(node: SyntaxNode, text: string): boolean {
  for (let each = node.parent; each !== null && !FUNCTIONS.has(each.kind); each = each.parent) {
    const isCall = CALLS.has(each.kind) && node.start >= (calleeOf(each)?.end ?? each.start);
    const callee = text.slice(each.start, childOf(each, 'arguments')?.start ?? each.end);
    if (isCall && (MAKES.test(callee) || !REPORTS.test(callee))) return true;
  }
  return false;
}
