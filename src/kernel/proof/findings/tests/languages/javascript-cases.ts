import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { childOf, childOrSelf, namedChildren, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { Place, SourceText } from '../../finding.ts';
import { CALLS, callsIn, chainOf, firstName, functionName, FUNCTIONS, literalOf } from '../../names.ts';
import { caseArguments, caseCallers, isCaseCall, passedOn } from './case-callers.ts';
import type { WrittenCase } from './test-case.ts';

export const SUITES: ReadonlySet<string> = new Set(['describe', 'suite', 'context']);
const MODIFIERS = new Set(['skip', 'todo', 'fails', 'failing', 'only', 'retry', 'ignore', 'expectFailure']);
const OPTIONS = new Set(['object', 'number']);
const TYPED = new Set(['as_expression', 'satisfies_expression', 'parenthesized_expression', 'type_assertion']);

/**
 * Returns the cases of a file whose bodies can be read, and the places that register a case whose body cannot be read.
 */
export function javascriptCases(source: SourceText): { readonly cases: WrittenCase[]; readonly unread: Place[] } {
  const { text } = source;
  const callers = caseCallers(source);
  const cases: WrittenCase[] = [];
  const unread: Place[] = [];
  for (const call of callsIn(source.root)) {
    if (!isCaseCall(call, text, callers) || passedOn(call, text) !== null || isTable(call)) continue;
    const list = caseArguments(call, text).map(withoutType);
    const [title] = list;
    const body = bodyOf(list, source);
    if (title === undefined || body === 'none') continue;
    if (body === 'elsewhere') {
      unread.push({ line: call.line, words: `the body of the case ${plainText(title, text)} cannot be examined here` });
      continue;
    }
    cases.push({
      name: [...suitesAbove(call, text), plainText(title, text)].join(' > '),
      isReportedAs: namedBy(title, call, text),
      line: call.line,
      body,
      modifier: modifierOf(call, list, text) ?? switchedOffInside(body, text),
    });
  }
  return { cases, unread };
}

/** Whether a call is the first one in `` test.each`table`(…) ``. */
function isTable(call: SyntaxNode): boolean {
  return childOf(call, 'arguments')?.kind === 'template_string';
}

/**
 * The body of a case: a function expression, or a named function of this file. `none`: the case is marked as todo, or
 * the call is the first one in `test.each(table)(…)`. `elsewhere`: the body is not in this file.
 */
function bodyOf(list: readonly SyntaxNode[], source: SourceText): SyntaxNode | 'none' | 'elsewhere' {
  const inPlace = list.findLast((each) => FUNCTIONS.has(each.kind));
  if (inPlace !== undefined) return inPlace;
  const given = list
    .slice(1)
    .filter(({ kind }) => !OPTIONS.has(kind))
    .at(-1);
  if (given === undefined) return 'none';
  return (given.kind === 'identifier' ? functionNamed(plainText(given, source.text), source) : null) ?? 'elsewhere';
}

function functionNamed(name: string, { root, text }: SourceText): SyntaxNode | null {
  let found: SyntaxNode | null = null;
  for (const node of nodesOf(root)) {
    if (!FUNCTIONS.has(node.kind) || node.kind === 'method_definition') continue;
    const own = functionName(node);
    if (own === null || plainText(own, text) !== name) continue;
    // Two functions have this name, and it is unknown which of them is used.
    if (found !== null) return null;
    found = node;
  }
  const isAssigned = [...nodesOf(root)].some(
    (node) => node.kind === 'assignment_expression' && plainText(childOrSelf(node, 'left'), text) === name,
  );
  return isAssigned ? null : found;
}

function modifierOf(call: SyntaxNode, list: readonly SyntaxNode[], text: string): string | null {
  const chain = chainOf(call, text);
  if (chain[0]?.startsWith('x') === true) return 'skip';
  const options = list.find(({ kind }) => kind === 'object');
  const inOptions =
    options === undefined
      ? undefined
      : /\b(skip|todo|only|retry|repeats|fails|ignore|expectFailure)\s*:/.exec(plainText(options, text))?.[1];
  return chain.find((name) => MODIFIERS.has(name)) ?? inOptions ?? null;
}

/** The node without a TypeScript type: `{ skip: true } as object` is an object literal. */
function withoutType(node: SyntaxNode): SyntaxNode {
  const inner = TYPED.has(node.kind) ? namedChildren(node).find(({ kind }) => !/type/.test(kind)) : undefined;
  return inner === undefined ? node : withoutType(inner);
}

/**
 * `t.skip()` in node:test, `this.skip()` in mocha, `({ skip }) => skip()` in vitest. Statements after the call may run,
 * but do not count.
 */
function switchedOffInside(body: SyntaxNode, text: string): string | null {
  const [context] = parameters(body, text);
  const picked = pickedFromContext(body, text);
  for (const call of callsIn(body)) {
    const [first = '', last, ...more] = chainOf(call, text);
    if (more.length > 0) continue;
    const named = last === undefined ? picked.get(first) : first === 'this' || first === context ? last : undefined;
    if (named === 'skip' || named === 'todo') return named;
  }
  return null;
}

/** Members of the context that a body destructures, by their local names: `({ skip: leave }) => …`. */
function pickedFromContext(body: SyntaxNode, text: string): ReadonlyMap<string, string> {
  const pattern = parameterNodes(body)[0];
  const picked = new Map<string, string>();
  for (const each of pattern?.kind === 'object_pattern' ? namedChildren(pattern) : []) {
    const key = plainText(childOrSelf(each, 'key'), text);
    picked.set(plainText(childOrSelf(each, 'value'), text), key);
  }
  return picked;
}

function suitesAbove(call: SyntaxNode, text: string): string[] {
  const names: string[] = [];
  for (let each = call.parent; each !== null; each = each.parent) {
    if (!CALLS.has(each.kind) || !SUITES.has(firstName(each, text))) continue;
    const title = caseArguments(each, text)[0];
    if (title !== undefined) names.unshift(plainText(title, text));
  }
  return names;
}

/**
 * Returns a function that checks whether a reported name can be this case. It accepts every name if the title is
 * computed or filled from a table.
 */
function namedBy(title: SyntaxNode, call: SyntaxNode, text: string): (reported: string) => boolean {
  const value = literalOf(title, text);
  const isTable = chainOf(call, text).some((name) => name === 'each' || name === 'for');
  if (value === null || isTable || value.includes('\\')) return () => true;
  return (reported) => reported === value || reported.endsWith(` > ${value}`);
}

/** Returns the parameter names of a function, without types and default values. A pattern is returned as written. */
export function parameters(body: SyntaxNode, text: string): string[] {
  return parameterNodes(body).map((each) => plainText(each, text));
}

function parameterNodes(body: SyntaxNode): SyntaxNode[] {
  const single = childOf(body, 'parameter');
  const list = childOf(body, 'parameters');
  const all = single === null ? namedChildren(list) : [single];
  // In TypeScript, `this` only declares the type of the receiver. It is not a parameter.
  return all.map(bound).filter(({ kind }) => kind !== 'this');
}

function bound(parameter: SyntaxNode): SyntaxNode {
  const inner = childOf(parameter, 'pattern') ?? childOf(parameter, 'left');
  return inner === null ? parameter : bound(inner);
}
