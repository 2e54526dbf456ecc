import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { childOf, namedChildren, nodesOf } from '../../../syntax/walk.ts';
import { argumentsOf, calleeOf, CALLS, chainOf, literalOf, literalsIn } from '../../names.ts';

/** Too usual to say anything. */
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
/** Whose last expression is their value. */
const BLOCKS = new Set(['block', 'then', 'else', 'body_statement']);
const ENTRIES = new Set(['pair', 'array_element_initializer', 'parenthesized_expression']);
const COLLECTIONS = new Set(['array', 'list', 'object', 'dictionary', 'tuple', 'hash', 'array_creation_expression']);

const BOUNDARIES = new Set(['0', '1', '-1', '']);
const WORD = /^[A-Za-z][\w-]{0,24}$/;
const WORDS = /^[\p{L}][\p{L} .,'-]*$/u;
/** Shorter than that, a text is in another one by chance. */
export const MIN_SHARED = 3;

/** What programs rightly decide by: the first numbers, and a word that stands for another one, as a level does for its colour. */
function isOrdinary(input: string, answer: string): boolean {
  if (COMMON.has(input) && COMMON.has(answer)) return true;
  if (BOUNDARIES.has(input)) return /\p{L}/u.test(answer);
  return WORD.test(input) && WORDS.test(answer) && !isMadeOf(answer, input);
}

/** Whether a text is computed from another one, as far as its letters say: it has it in it, is a part of it, or has the same letters. */
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

/** Whether some assertion has both, an input and the answer to it. */
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

/** Literals that the first way of a branch answers with. */
export function answersOf(branch: SyntaxNode, text: string): ReadonlySet<string> {
  const way = childOf(branch, 'consequence') ?? childOf(branch, 'body') ?? branch.children[0] ?? null;
  if (way === null) return new Set();
  return CONDITIONAL.has(branch.kind) ? literalsIn(way, text) : returnedLiterals(way, text);
}

/** Literals that are returned, or put into a variable. What is computed is no answer that was copied. */
export function returnedLiterals(way: SyntaxNode, text: string): Set<string> {
  const found = new Set<string>();
  for (const node of nodesOf(way)) {
    const isAssigned = node.kind === 'assignment_expression' || node.kind === 'assignment';
    const isReturned = RETURNS.test(node.kind) && node.named;
    if (!isReturned && !isAssigned && !BLOCKS.has(node.kind)) continue;
    const values = isAssigned ? [childOf(node, 'right') ?? node] : isReturned ? node.children : valueOfBlock(node);
    for (const child of values.flatMap((each) => (LISTS.has(each.kind) ? each.children : [each]))) {
      for (const value of plainLiterals(child, text)) found.add(value);
    }
  }
  return found;
}

/** Calls that only give a literal another type: `"a".to_string()`, `String::from("a")`, `new BigDecimal("4.2")`, `Some(42)`. */
const CONVERTS =
  /^(?:into|to_?string|to_?owned|clone|from|of|value_?of|some|ok|just|resolve|string|str|c_str|number|big_?int(?:eger)?|big_?decimal|integer|int|int64|float|float64|double|decimal|fraction|freeze|to_[isf]|to_sym)$/i;

/** A literal, those that are entries of a collection as they are, and one that is converted: `nextId + 1` in an object is computed. */
export function plainLiterals(node: SyntaxNode, text: string): string[] {
  const own = literalOf(node, text);
  if (own !== null) return [own];
  if (CALLS.has(node.kind)) {
    if (!CONVERTS.test(chainOf(node, text).at(-1) ?? '')) return [];
    const [only, ...more] = argumentsOf(node);
    const converted = only ?? receiverOf(node);
    return converted === null || more.length > 0 ? [] : plainLiterals(converted, text);
  }
  if (!COLLECTIONS.has(node.kind) && !ENTRIES.has(node.kind)) return [];
  return namedChildren(node).flatMap((each) => plainLiterals(each, text));
}

/** What a method is called on. */
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

/** A block of Rust or Ruby has the value of its last expression. */
function valueOfBlock(block: SyntaxNode): SyntaxNode[] {
  return namedChildren(block).slice(-1);
}

export function shownPair([input, answer]: readonly [string, string]): string {
  return `${JSON.stringify(input)} with ${JSON.stringify(answer)}`;
}
