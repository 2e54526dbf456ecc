import type { SyntaxNode } from '../../../../../../contracts/ports/syntax.ts';
import { above, childOf, namedChildren, nodesOf, plainText } from '../../../../syntax/walk.ts';
import type { SourceText } from '../../../finding.ts';
import { argumentsOf, calleeOf, CALLS, FUNCTIONS } from '../../../names.ts';

const WRAPPERS = new Set([
  ...['parenthesized_expression', 'as_expression', 'satisfies_expression', 'non_null_expression', 'await_expression'],
]);
const ALIASES = new Set(['identifier', 'member_expression', 'attribute', ...WRAPPERS]);
const PARAMETERS = new Set(['identifier', 'shorthand_property_identifier_pattern']);
/** Functions that call their argument. */
const CALLING = /(?:^|\.)(?:forEach|map|then|finally|setTimeout|setInterval|setImmediate|queueMicrotask|nextTick)$/;

/** Returns the text of an expression without parentheses and types: `(send as any)` gives `send`. */
export function plainObject(node: SyntaxNode, text: string): string {
  const [inner] = WRAPPERS.has(node.kind) ? namedChildren(node) : [];
  return inner === undefined ? plainText(node, text).replaceAll('?.', '.') : plainObject(inner, text);
}

/**
 * The called functions of a file as they are written, each with the places of its calls. If a variable that is called
 * is assigned from another name, that name is included.
 */
export type CalledThings = ReadonlyMap<string, readonly SyntaxNode[]>;

export function calledThings({ root, text }: SourceText): CalledThings {
  const called = new Map<string, SyntaxNode[]>();
  const add = (name: string, ...places: readonly SyntaxNode[]): void => {
    const others = called.get(name);
    if (others === undefined) called.set(name, [...places]);
    else others.push(...places);
  };
  const nodes = [...nodesOf(root)];
  for (const node of nodes) {
    const callee = CALLS.has(node.kind) && node.kind !== 'new_expression' ? calleeOf(node) : null;
    if (callee === null) continue;
    const name = plainObject(callee, text);
    add(name.replace(/\.(?:call|apply|bind)$/, ''), node);
    if (CALLING.test(name)) for (const each of argumentsOf(node)) add(plainObject(each, text), node);
  }
  for (const node of nodes) {
    const name = childOf(node, 'name') ?? childOf(node, 'left');
    const value = childOf(node, 'value') ?? childOf(node, 'right');
    const isCalled = name !== null && called.has(plainText(name, text));
    if (isCalled && value !== null && ALIASES.has(value.kind)) add(plainObject(value, text), node);
  }
  return called;
}

/** Returns whether an object is called. If it is a parameter, only calls in that function count. */
export function isCalled(object: SyntaxNode, text: string, called: CalledThings): boolean {
  const name = plainObject(object, text);
  const places = called.get(name);
  if (places === undefined) return false;
  const variable = /^[\w$]+/.exec(name)?.[0] ?? '';
  const scope = above(object, (each) => FUNCTIONS.has(each.kind) && parametersOf(each, text).has(variable));
  return scope === null || places.some(({ start, end }) => start >= scope.start && end <= scope.end);
}

export function parametersOf(node: SyntaxNode, text: string): ReadonlySet<string> {
  const given = childOf(node, 'parameters') ?? childOf(node, 'parameter');
  const names = given === null ? [] : [...nodesOf(given)].filter(({ kind }) => PARAMETERS.has(kind));
  return new Set(names.map((each) => plainText(each, text)));
}
