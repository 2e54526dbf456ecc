import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { childOf, childOrSelf, namedChildren, nodesOf } from '../../../syntax/walk.ts';
import { argumentsOf, calleeOf, CALLS, lastName, literalOf, literalsIn } from '../../names.ts';

/** Values that occur too often to show anything. */
const COMMON = new Set([
  ...['', '0', '1', '-1', '2', '10', '100', ' ', '\\n', ',', '.', '/', '-', '_', ':', 'a', 'b', 'utf8', 'utf-8'],
]);
export const BRANCHES: ReadonlySet<string> = new Set([
  ...['if_statement', 'if_expression', 'elif_clause', 'ternary_expression', 'conditional_expression'],
  ...['if', 'elsif', 'conditional', 'if_modifier', 'else_if_clause'],
]);
const CONDITIONAL = new Set(['ternary_expression', 'conditional_expression', 'conditional']);
const RETURNS = /^return(?:_statement|_expression)?$/;
const LISTS = new Set(['expression_list', 'argument_list']);
/** Blocks whose value is their last expression. */
const BLOCKS = new Set(['block', 'then', 'else', 'body_statement']);
const ENTRIES = new Set(['pair', 'array_element_initializer', 'parenthesized_expression']);
const COLLECTIONS = new Set(['array', 'list', 'object', 'dictionary', 'tuple', 'hash', 'array_creation_expression']);

const BOUNDARIES = new Set(['0', '1', '-1', '']);
const WORD = /^[A-Za-z][\w-]{0,24}$/;
const WORDS = /^[\p{L}][\p{L} .,'-]*$/u;
/** A shorter text may be part of another by chance. */
export const MIN_SHARED = 3;

/**
 * Pairs of input and result that ordinary programs contain: small numbers, and a word for another word, such as a level
 * and its colour.
 */
function isOrdinary(input: string, answer: string): boolean {
  if (COMMON.has(input) && COMMON.has(answer)) return true;
  if (BOUNDARIES.has(input)) return /\p{L}/u.test(answer);
  return WORD.test(input) && WORDS.test(answer) && !isMadeOf(answer, input);
}

/** Returns whether one text may be computed from another: one contains the other, or both have the same letters. */
export function isMadeOf(answer: string, input: string): boolean {
  const [one, other] = [answer.toLowerCase(), input.toLowerCase()];
  const isPart = (whole: string, part: string): boolean => part.length >= MIN_SHARED && whole.includes(part);
  return isPart(one, other) || isPart(other, one) || (one.length >= MIN_SHARED && lettersOf(one) === lettersOf(other));
}

function lettersOf(text: string): string {
  return [...text.replaceAll(/[^\p{L}\p{N}]/gu, '')].toSorted().join('');
}

export function isCommon(value: string): boolean {
  return COMMON.has(value);
}

/**
 * Returns an input and a result that occur together in one assertion, without ordinary pairs; undefined if there are
 * none.
 */
export function pairIn(
  asserted: readonly ReadonlySet<string>[],
  inputs: ReadonlySet<string>,
  answers: ReadonlySet<string>,
): [string, string] | undefined {
  for (const input of inputs) {
    for (const answer of answers) {
      if (input === answer || isOrdinary(input, answer)) continue;
      if (asserted.some((literals) => literals.has(input) && literals.has(answer))) return [input, answer];
    }
  }
  return undefined;
}

export function conditionOf(branch: SyntaxNode): SyntaxNode | null {
  return (
    childOf(branch, 'condition') ?? (branch.kind === 'conditional_expression' ? (branch.children[2] ?? null) : null)
  );
}

/** Returns the literals that a branch returns if its condition is true. */
export function answersOf(branch: SyntaxNode, text: string): ReadonlySet<string> {
  const way = childOf(branch, 'consequence') ?? childOf(branch, 'body') ?? branch.children[0] ?? null;
  if (way === null) return new Set();
  return CONDITIONAL.has(branch.kind) ? literalsIn(way, text) : returnedLiterals(way, text);
}

/** Returns literals that are returned or assigned. Computed values do not count. */
export function returnedLiterals(way: SyntaxNode, text: string): Set<string> {
  const found = new Set<string>();
  for (const node of nodesOf(way)) {
    const isAssigned = node.kind === 'assignment_expression' || node.kind === 'assignment';
    const isReturned = RETURNS.test(node.kind) && node.named;
    if (!isReturned && !isAssigned && !BLOCKS.has(node.kind)) continue;
    const values = isAssigned ? [childOrSelf(node, 'right')] : isReturned ? node.children : valueOfBlock(node);
    for (const child of values.flatMap((each) => (LISTS.has(each.kind) ? each.children : [each]))) {
      for (const value of plainLiterals(child, text)) found.add(value);
    }
  }
  return found;
}

/**
 * Calls that only convert a literal to another type: `"a".to_string()`, `String::from("a")`, `new BigDecimal("4.2")`,
 * `Some(42)`.
 */
const CONVERTS =
  /^(?:into|to_?string|to_?owned|clone|from|of|value_?of|some|ok|just|resolve|string|str|c_str|number|big_?int(?:eger)?|big_?decimal|integer|int|int64|float|float64|double|decimal|fraction|freeze|to_[isf]|to_sym)$/i;

/**
 * Returns a literal, a converted literal, or the literals that are direct entries of a collection. Computed values do
 * not count, such as `nextId + 1` in an object.
 */
export function plainLiterals(node: SyntaxNode, text: string): string[] {
  const own = literalOf(node, text);
  if (own !== null) return [own];
  if (CALLS.has(node.kind)) {
    if (!CONVERTS.test(lastName(node, text))) return [];
    const [only, ...more] = argumentsOf(node);
    const converted = only ?? receiverOf(node);
    return converted === null || more.length > 0 ? [] : plainLiterals(converted, text);
  }
  if (!COLLECTIONS.has(node.kind) && !ENTRIES.has(node.kind)) return [];
  return namedChildren(node).flatMap((each) => plainLiterals(each, text));
}

function receiverOf(call: SyntaxNode): SyntaxNode | null {
  const callee = calleeOf(call) ?? call;
  for (const holder of [call, callee]) {
    for (const field of ['object', 'value', 'operand', 'receiver', 'argument']) {
      const receiver = childOf(holder, field);
      if (receiver !== null) return receiver;
    }
  }
  return null;
}

/** In Rust and Ruby, the value of a block is its last expression. */
function valueOfBlock(block: SyntaxNode): SyntaxNode[] {
  return namedChildren(block).slice(-1);
}

export function shownPair([input, answer]: readonly [string, string]): string {
  return `${JSON.stringify(input)} with ${JSON.stringify(answer)}`;
}
