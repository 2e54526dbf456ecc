import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { argumentsOf, constantOf, lastName } from '../../findings/names.ts';
import { childOf, kindOf, namedChildren, textOf } from '../../syntax/walk.ts';
import type { Edit, MutatedSource, Mutator } from '../mutator.ts';
import { isLogging } from './remove-statement.ts';

export const EMPTY_ARGUMENTS = 'empty-arguments';

/**
 * A call whose result is not used gets other arguments: `send(user, text);` becomes `send(text, user);`, or
 * `send(undefined, undefined);`, which fails where types are checked. A test that only counts calls does not notice it.
 */
export const emptyArguments: Mutator = {
  name: EMPTY_ARGUMENTS,
  // Such a call often fails, which every test notices. So it is tried only where it is asked whether calls are counted.
  rank: 4,
  mutate: (node, source) => {
    const { grammar, text } = source;
    const { emptyArgument } = grammar;
    if (!grammar.calls.has(node.kind) || !isStatement(node, source) || isLogging(textOf(node, text))) return [];
    const given = argumentsOf(node).map(valueOf);
    // What such a call does is in its function: `setTimeout(() => end(user), pauseMs)`.
    if (given.some(({ kind }) => grammar.functions.has(kind))) return [];
    const changed = given.filter((each) => isComputed(each, source));
    const [first] = given;
    const last = given.at(-1);
    if (changed.length === 0 || first === undefined || last === undefined || lastName(node, text) === 'super')
      return [];
    const swapped = swappedArguments(node, source);
    if (emptyArgument === null) return swapped;
    let replacement = '';
    let at = first.start;
    for (const each of changed) {
      replacement += text.slice(at, each.start) + emptyArgument;
      at = each.end;
    }
    return [...swapped, { start: first.start, end: last.end, replacement: replacement + text.slice(at, last.end) }];
  },
};

/** `transfer(from, to)` becomes `transfer(to, from)`, and the last argument `{ retries: 3 }` becomes `{}`. */
export const changeArguments: Mutator = {
  name: 'change-arguments',
  rank: 3,
  mutate: (node, source) => {
    const { grammar, text } = source;
    if (!grammar.calls.has(node.kind) || isLogging(textOf(node, text)) || isStatement(node, source)) return [];
    const last = argumentsOf(node).map(valueOf).at(-1);
    const options =
      last !== undefined && OPTIONS.test(last.kind) && namedChildren(last).length > 0
        ? [{ start: last.start, end: last.end, replacement: textOf(last, text).startsWith('[') ? '[]' : '{}' }]
        : [];
    return [...swappedArguments(node, source), ...options];
  },
};

const OPTIONS = /^(?:object|dictionary|hash|array_creation_expression)$/;
/** Calls that give the same result for their arguments in another order. */
const COMMUTES = /^(?:min|max|gcd|lcm|hypot|add|sum|plus|equals?|is_?equal|same|union|intersection|intersects|__\w+)$/i;

function swappedArguments(call: SyntaxNode, source: MutatedSource): Edit[] {
  const { text } = source;
  const [first, second] = argumentsOf(call);
  if (first === undefined || second === undefined || COMMUTES.test(lastName(call, text))) return [];
  const names = /^(?:keyword_argument|pair)$/;
  if (names.test(first.kind) || names.test(second.kind)) return [];
  if (!isComputed(valueOf(first), source) || !isComputed(valueOf(second), source)) return [];
  const [a, b] = [textOf(first, text), textOf(second, text)];
  const between = text.slice(first.end, second.start);
  return a === b ? [] : [{ start: first.start, end: second.end, replacement: `${b}${between}${a}` }];
}

/** The value of an argument with a name. */
function valueOf(argument: SyntaxNode): SyntaxNode {
  if (/^(?:keyword_argument|pair)$/.test(argument.kind)) return childOf(argument, 'value') ?? argument;
  return argument.kind === 'argument' ? (namedChildren(argument).at(-1) ?? argument) : argument;
}

/** Whether an argument is no literal, and no function that the call runs. */
function isComputed(argument: SyntaxNode, { grammar, text }: MutatedSource): boolean {
  if (grammar.functions.has(argument.kind) || grammar.strings.has(argument.kind)) return false;
  if (
    /splat|spread|block_argument|^(?:true|false|nil|none|null|undefined|boolean_literal|boolean)$/.test(argument.kind)
  )
    return false;
  return constantOf(argument, text) === null;
}

/** Whether a call is a statement, so its result is not used. */
function isStatement(call: SyntaxNode, { grammar }: MutatedSource): boolean {
  const whole = /^await/.test(kindOf(call.parent)) && call.parent !== null ? call.parent : call;
  if (grammar.removable.has(call.kind)) return grammar.isStatement?.(call) !== false;
  return kindOf(whole.parent) === 'expression_statement';
}
