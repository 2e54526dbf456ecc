import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { argumentsOf, calleeOf } from '../findings/names.ts';
import { childOf, textOf } from '../syntax/walk.ts';

/** The two sides of an equality. The first is null if only the expected value is known. */
export type Sides = readonly [SyntaxNode | null, SyntaxNode];

/** Methods that return whether two values are equal, and methods that return their order. */
const EQUALITY = /^(?:is_?)?(?:equals?|eq|same|identical|equivalent)(?:_?(?:to|as|ignore_?case))?$/i;
const COMPARES = /^(?:compare(?:_?to)?|cmp)$/i;

/** `got.Equal(42)` and `got.sameAs(42)`: a method of the code under test decides whether its result is equal. */
export function sidesOfMethod(call: SyntaxNode, text: string): Sides[] {
  return methodSides(call, EQUALITY, text);
}

/** The compared values of `got.compareTo(42)`, if the other side is 0. */
export function comparedValues(one: SyntaxNode, other: SyntaxNode, text: string): Sides[] {
  const isEqual = [one, other].some((each) => textOf(each, text) === '0');
  return isEqual ? [one, other].flatMap((each) => methodSides(each, COMPARES, text)) : [];
}

/** `got.same_as(42)` at the end of the tokens of a macro. */
export function sidesInTokens(subject: SyntaxNode, text: string): Sides[] {
  const [dot, name, tokens] = subject.children.slice(-3);
  if (dot === undefined || name === undefined || tokens?.kind !== 'token_tree') return [];
  if (textOf(dot, text) !== '.' || !EQUALITY.test(textOf(name, text))) return [];
  const inner = tokens.children.slice(1, -1).filter((each) => textOf(each, text) !== '&');
  const [only, ...more] = inner;
  return only === undefined || more.length > 0 ? [] : [[null, only]];
}

function methodSides(call: SyntaxNode, names: RegExp, text: string): Sides[] {
  const callee = call.kind === 'method_invocation' ? call : call.kind === 'call_expression' ? calleeOf(call) : null;
  const value = callee === null ? null : (childOf(callee, 'object') ?? childOf(callee, 'operand'));
  const name =
    callee === null ? null : (childOf(callee, 'name') ?? childOf(callee, 'field') ?? childOf(callee, 'property'));
  const [only, ...more] = argumentsOf(call);
  const isMeant = value !== null && name !== null && names.test(textOf(name, text));
  return isMeant && only !== undefined && more.length === 0 ? [[value, only]] : [];
}
