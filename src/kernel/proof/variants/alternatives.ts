import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { argumentsOf, calleeOf, CALLS, chainOf, FUNCTIONS } from '../findings/names.ts';
import { phpCall } from '../findings/php-calls.ts';
import { childOf, namedChildren, nodesOf, operatorOf, textOf } from '../syntax/walk.ts';
import type { Sides } from './equality-methods.ts';
import { equalSides } from './equal-sides.ts';

const COLLECTIONS = new Set(['array', 'list', 'tuple', 'set', 'array_creation_expression']);
/** Calls that search a list: `[42, 13].includes(n)`, `in_array(n, [42, 13])`. */
const HAS = /^(?:includes|include\?|contains|Contains|in_array|toContain|assertIn|assertContains|assert_includes)$/;
/** Matchers for one of several values: `expect(n).toBeOneOf([42, 13])`. */
const IS_ONE_OF = /^(?:toBeOneOf|oneOf|isIn|be_in)$/;
const HOLDS_FOR = /^(?:toSatisfy|satisfy|satisfies)$/;

/**
 * Returns the values of which an assertion accepts each: `expect([42, 13]).toContain(n)`. If one of them is replaced by
 * another value, some assertion of the case has to fail.
 */
export function alternatives(node: SyntaxNode, text: string): Sides[] {
  if (/^parenthesized/.test(node.kind)) return namedChildren(node).flatMap((each) => alternatives(each, text));
  if (isEither(node, text))
    return namedChildren(node).flatMap((each) => [...alternatives(each, text), ...equalSides(each, text, '==', '===')]);
  const operator = operatorOf(node);
  if (node.kind === 'comparison_operator' && textOf(operator, text) === 'in') {
    const [value, list] = namedChildren(node);
    return value === undefined || list === undefined ? [] : entriesBeside(value, list);
  }
  return inCall(node, text);
}

/** `matches!(n, 42 | 13)` among the tokens of a macro. */
export function alternativesInTokens(subject: SyntaxNode, text: string): Sides[] {
  const [name, mark, tokens] = subject.children;
  if (name === undefined || mark === undefined || tokens?.kind !== 'token_tree') return [];
  if (textOf(name, text) !== 'matches' || textOf(mark, text) !== '!') return [];
  const comma = tokens.children.findIndex((each) => textOf(each, text) === ',');
  const values = tokens.children.slice(comma + 1, -1).filter((each) => textOf(each, text) !== '|');
  const isEach = values.length > 1 && values.every(({ kind }) => kind.endsWith('_literal'));
  return isEach ? values.map((each) => [null, each]) : [];
}

function inCall(node: SyntaxNode, text: string): Sides[] {
  const php = phpCall(node, text);
  const name = php?.name ?? (CALLS.has(node.kind) ? chainOf(node, text).at(-1) : undefined) ?? '';
  const given = php?.arguments.flatMap((each) => namedChildren(each).slice(-1)) ?? argumentsOf(node);
  const [one, other] = given;
  if (one === undefined) return [];
  if (IS_ONE_OF.test(name))
    return COLLECTIONS.has(one.kind) ? entriesBeside(null, one) : given.map((each) => [null, each]);
  if (HOLDS_FOR.test(name)) return FUNCTIONS.has(one.kind) ? conditionsOf(one, text) : [];
  if (!HAS.test(name)) return [];
  if (other !== undefined) return [...entriesBeside(one, other), ...entriesBeside(other, one)];
  const list = listAsked(node, text);
  return list === null ? [] : entriesBeside(one, list);
}

/** The object of the call `includes`, or the argument of `expect`. */
function listAsked(call: SyntaxNode, text: string): SyntaxNode | null {
  const callee = calleeOf(call);
  const object = callee === null ? null : (childOf(callee, 'object') ?? childOf(call, 'receiver'));
  if (object === null || COLLECTIONS.has(object.kind)) return object;
  const expects = [...nodesOf(object)].find((each) => CALLS.has(each.kind) && textOf(each, text).startsWith('expect('));
  return expects === undefined ? null : (argumentsOf(expects)[0] ?? null);
}

function conditionsOf(condition: SyntaxNode, text: string): Sides[] {
  const all = [...nodesOf(condition)];
  const outer = all.find((each) => isEither(each, text)) ?? all.find((each) => inCall(each, text).length > 0);
  return outer === undefined ? [] : alternatives(outer, text);
}

function isEither(node: SyntaxNode, text: string): boolean {
  const operator = operatorOf(node);
  return /^(?:\|\||or)$/.test(textOf(operator, text));
}

/** The entries of a list, each with the value. A list with one entry is not a choice. */
function entriesBeside(value: SyntaxNode | null, list: SyntaxNode): Sides[] {
  if (!COLLECTIONS.has(list.kind)) return [];
  const entries = namedChildren(list).flatMap((each) =>
    each.kind === 'array_element_initializer' ? namedChildren(each).slice(-1) : [each],
  );
  return entries.length < 2 ? [] : entries.map((each) => [value, each]);
}
