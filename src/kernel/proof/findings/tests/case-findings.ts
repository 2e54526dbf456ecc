import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { childOf, childOrSelf, namedChildren, nodesOf, plainText } from '../../syntax/walk.ts';
import { callsIn, chainOf, lastName } from '../names.ts';
import type { InspectedChange, Place } from '../finding.ts';
import { callsTestingHelper } from './testing-helper.ts';
import { alwaysTrue } from './always-true.ts';
import type { CaseInspection } from './case-inspection.ts';
import { callsAssertingHelper } from './imported-helpers.ts';
import type { WrittenTests } from './languages/test-case.ts';

const noAssertion: CaseInspection = {
  kind: 'no-assertion',
  look: ({ body }, tests, text, change) =>
    tests.assertions(body).length === 0 && !callsAssertingHelper(body, text, change) ? 'asserts nothing' : null,
};

const swallowedAssertion: CaseInspection = {
  kind: 'swallowed-assertion',
  look: ({ body }, tests) =>
    tests.assertions(body).some((each) => tests.swallowed(each, body)) ? 'catches its own failed assertion' : null,
};

const unawaitedAssertion: CaseInspection = {
  kind: 'unawaited-assertion',
  look: ({ body }, tests) =>
    tests.assertions(body).some((each) => tests.unawaited(each, body)) ? 'does not wait for an assertion' : null,
};

const conditionalAssertion: CaseInspection = {
  kind: 'conditional-assertion',
  look: ({ body }, tests, text) => {
    if (plansAssertions(body, text)) return null;
    const assertions = tests.assertions(body).filter((each) => each.kind !== 'throw_statement');
    const isEach = assertions.length > 0 && assertions.every((each) => tests.conditional(each, body));
    return isEach ? 'may pass without running any of its assertions' : null;
  },
};

const constantAssertion: CaseInspection = {
  kind: 'constant-assertion',
  look: ({ body }, tests, text) => {
    const assertions = tests.assertions(body).filter(({ kind }) => !/throw|raise/.test(kind));
    const isEach =
      assertions.length > 0 &&
      assertions.every((each) => isConstant(tests.subjects(each), text) && !callsTestingHelper(each, tests, text));
    return isEach ? 'asserts only about constants' : null;
  },
};

const clockOrRandom: CaseInspection = {
  kind: 'clock-or-random',
  look: ({ body }, tests, text) => {
    const looked = [
      ...tests.assertions(body).map((each) => tests.subjects(each)),
      ...conditionsIn(body).map((each) => [each]),
    ];
    const isEach = (nodes: readonly SyntaxNode[]): boolean =>
      nodes.some((each) => isChance(each, body, text)) &&
      nodes.every((each) => isChance(each, body, text) || isConstant([each], text));
    return looked.some(isEach) ? 'depends on the clock or on random values' : null;
  },
};

const switchedOff: CaseInspection = {
  kind: 'case-switched-off',
  look: ({ modifier }) => (modifier === null ? null : `is marked ${modifier}`),
};

export const CASE_INSPECTIONS: readonly CaseInspection[] = [
  noAssertion,
  swallowedAssertion,
  unawaitedAssertion,
  conditionalAssertion,
  constantAssertion,
  alwaysTrue,
  clockOrRandom,
  switchedOff,
];

/** `expect.assertions(1)` and `t.plan(1)` fail if fewer assertions run. */
function plansAssertions(body: SyntaxNode, text: string): boolean {
  return callsIn(body).some((call) => /^(?:assertions|hasAssertions|plan)$/.test(lastName(call, text)));
}

const CONSTANTS = new Set([
  'string',
  'number',
  'true',
  'false',
  'null',
  'undefined',
  'none',
  'integer',
  'float',
  'regex',
  ...['int_literal', 'float_literal', 'rune_literal', 'interpreted_string_literal', 'raw_string_literal', 'nil'],
  ...['integer_literal', 'string_literal', 'boolean_literal', 'char_literal', 'null_literal', 'character_literal'],
  ...['decimal_integer_literal', 'decimal_floating_point_literal', 'boolean', 'encapsed_string'],
]);
const TRANSPARENT = new Set([
  'array',
  'list',
  'tuple',
  'object',
  'dictionary',
  'pair',
  'parenthesized_expression',
  'binary_expression',
  'binary_operator',
  ...['array_creation_expression', 'array_element_initializer'],
]);
const TRANSPARENT_TOO = new Set([
  'comparison_operator',
  'unary_expression',
  'not_operator',
  'unary_operator',
  'boolean_operator',
  'unary_op_expression',
]);

function isConstant(subjects: readonly SyntaxNode[], text: string): boolean {
  if (subjects.length === 0) return false;
  const looked = subjects.filter((each) => each.kind !== 'keyword_argument');
  const isPlain = (node: SyntaxNode): boolean => {
    if (CONSTANTS.has(node.kind)) return true;
    if (!TRANSPARENT.has(node.kind) && !TRANSPARENT_TOO.has(node.kind)) return false;
    return namedChildren(node).every((child) => isPlain(child) || child.kind === 'property_identifier');
  };
  if (looked.every(isPlain)) return true;
  const [first, second] = looked;
  return (
    second !== undefined &&
    first !== undefined &&
    looked.length === 2 &&
    plainText(first, text) === plainText(second, text)
  );
}

const CHANCE =
  /^(?:Date\.now|Math\.random|performance\.now|process\.hrtime(?:\.bigint)?|process\.uptime|crypto\.random\w+|time\.(?:time|monotonic|perf_counter|time_ns)|random\.\w+|datetime\.(?:datetime\.)?(?:now|utcnow|today)|uuid\.uuid\d|secrets\.\w+|os\.(?:times|getpid|urandom))$/;
const BUILT_IN =
  /^(?:Date|Math|performance|process|crypto|time|random|datetime|uuid|secrets|os|Number|Boolean|String|int|bool|str|abs|round|len|parseInt|BigInt|undefined|True|False|None)$/;

function conditionsIn(body: SyntaxNode): SyntaxNode[] {
  return [...nodesOf(body)].flatMap((node) => {
    const condition =
      node.kind === 'if_statement' || node.kind === 'ternary_expression' ? childOf(node, 'condition') : null;
    return condition === null ? [] : [condition];
  });
}

/**
 * Whether a value comes only from the clock or a random source. A duration that is compared with a limit does not
 * count, because its start is a value of its own.
 */
function isChance(node: SyntaxNode, body: SyntaxNode, text: string, depth = 3): boolean {
  let found = false;
  for (const each of nodesOf(node)) {
    const chain = each.kind === 'call_expression' || each.kind === 'call' ? chainOf(each, text).join('.') : null;
    if (chain !== null && CHANCE.test(chain)) found = true;
    else if (each.kind === 'new_expression' && /^new Date(?:\(\))?$/.test(plainText(each, text))) found = true;
    else if (each.kind === 'identifier' && !BUILT_IN.test(plainText(each, text)) && each.field !== 'attribute') {
      const value = depth > 0 ? initialiser(plainText(each, text), body, text) : null;
      if (value === null || !isChance(value, body, text, depth - 1)) return false;
      found = true;
    }
  }
  return found;
}

function initialiser(name: string, body: SyntaxNode, text: string): SyntaxNode | null {
  for (const node of nodesOf(body)) {
    if (node.kind === 'variable_declarator' && plainText(childOrSelf(node, 'name'), text) === name)
      return childOf(node, 'value');
    if (node.kind === 'assignment' && plainText(childOrSelf(node, 'left'), text) === name)
      return childOf(node, 'right');
  }
  return null;
}

/** Yields the findings of one inspection for each case. */
export function* lookAtCases(
  inspection: CaseInspection,
  tests: WrittenTests,
  text: string,
  change: InspectedChange,
): Generator<Place> {
  for (const written of tests.cases) {
    const words = inspection.look(written, tests, text, change);
    if (words !== null) yield { line: written.line, words: `the case ${written.name} ${words}` };
  }
}
