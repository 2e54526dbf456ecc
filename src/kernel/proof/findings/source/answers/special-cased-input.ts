import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { childOf, namedChildren, nodesOf, operatorOf, plainText } from '../../../syntax/walk.ts';
import type { Inspection, SourceText } from '../../finding.ts';
import { CALLS, chainOf, literalOf, literalsIn } from '../../names.ts';
import { answersOf, BRANCHES, conditionOf, pairIn, plainLiterals, returnedLiterals, shownPair } from './answers.ts';

export const CASES: ReadonlySet<string> = new Set([
  'switch_case',
  'case_clause',
  'match_arm',
  'expression_case',
  'when',
  'match_conditional_expression',
  'case_statement',
  ...['switch_block_statement_group', 'switch_rule'],
]);
const TABLES = new Set([
  ...['object', 'dictionary', 'array', 'list', 'hash', 'array_creation_expression', 'argument_list'],
  ...['literal_value', 'array_expression', 'initializer_list', 'array_initializer'],
]);
export const PAIRS: ReadonlySet<string> = new Set([
  'pair',
  'array_element_initializer',
  'keyed_element',
  'keyword_argument',
]);
/** Named arguments. Ruby and Python collect them in a table. */
const NAMED = new Set(['pair', 'keyword_argument']);
/** Lists. Their entries may be lists of an input and its result. */
const LISTS = new Set([
  ...['array', 'list', 'tuple', 'array_expression', 'tuple_expression', 'initializer_list', 'array_initializer'],
  'literal_value',
]);
const LOGICAL = new Set(['binary_expression', 'boolean_operator', 'binary']);
/** Parts of a pattern, or of a word list in Ruby. */
const PARTS = new Set(['regex_pattern', 'bare_string']);
export const EQUALITY = /^(?:===?|=~|in|is)$/;

/** A branch that compares with an input of a test and returns the expected value of that test. */
export const specialCasedInput: Inspection = {
  kind: 'special-cased-input',
  *look(file, change) {
    const asserted = change.asserted;
    if (asserted.length === 0) return;
    const old = new Set(file.before === null ? [] : pairsIn(file.before, asserted));
    for (const node of nodesOf(file.root)) {
      if (!file.isAdded(node)) continue;
      const hit = pairAt(node, file.text, asserted);
      if (hit !== undefined && !old.has(shownPair(hit)))
        yield { line: node.line, words: `${shownPair(hit)} is an input and its expected value in one test` };
      if (TABLES.has(node.kind) && isTableOfAnswers(node, file.text, asserted)) {
        yield { line: node.line, words: 'every entry of this table is an input and its expected value in one test' };
      }
    }
  },
};

/**
 * The pairs in a source. A pair that existed before is not new, even in another form: `"tea" => 250` becomes `"tea" =>
 * Some(250)`.
 */
function pairsIn({ root, text }: SourceText, asserted: readonly ReadonlySet<string>[]): string[] {
  return [...nodesOf(root)].flatMap((node) => {
    const pair = pairAt(node, text, asserted);
    return pair === undefined ? [] : [shownPair(pair)];
  });
}

function pairAt(
  node: SyntaxNode,
  text: string,
  asserted: readonly ReadonlySet<string>[],
): [string, string] | undefined {
  const pair = BRANCHES.has(node.kind) ? branchPair(node, text) : (logicalPair(node, text) ?? casePair(node, text));
  return pair === null ? undefined : pairIn(asserted, pair.inputs, pair.answers);
}

export interface Pair {
  readonly inputs: ReadonlySet<string>;
  readonly answers: ReadonlySet<string>;
}

function branchPair(node: SyntaxNode, text: string): Pair | null {
  const condition = conditionOf(node);
  return condition === null ? null : { inputs: comparedLiterals(condition, text), answers: answersOf(node, text) };
}

/** `a === 6 && 42`. */
function logicalPair(node: SyntaxNode, text: string): Pair | null {
  if (!LOGICAL.has(node.kind)) return null;
  const [left, operator, right] = node.children;
  if (left === undefined || right === undefined || !/^(?:&&|and)$/.test(plainText(operator ?? node, text))) return null;
  const answer = literalOf(right, text);
  return answer === null ? null : { inputs: comparedLiterals(left, text), answers: new Set([answer]) };
}

/** The inputs and results of a `case` in a switch or match. */
export function casePair(node: SyntaxNode, text: string): Pair | null {
  if (!CASES.has(node.kind)) return null;
  const arm = node.kind === 'match_arm' ? childOf(node, 'value') : null;
  const ofMatch = childOf(node, 'conditional_expressions');
  const answered = childOf(node, 'return_expression');
  if (ofMatch !== null && answered !== null)
    return { inputs: comparedIn(ofMatch, text), answers: literalsIn(answered, text) };
  const own = arm === null ? [] : plainLiterals(arm, text);
  const pattern = arm === null ? null : childOf(node, 'pattern');
  if (own.length > 0 && pattern !== null) return { inputs: literalsIn(pattern, text), answers: new Set(own) };
  const [first, second] = namedChildren(node);
  const value = pattern ?? childOf(node, 'value') ?? first ?? null;
  if (value === null) return null;
  // In Java, `case "tomato" -> 42;` has an expression whose value is the result.
  const [given] = node.kind === 'switch_rule' && second !== undefined ? namedChildren(second) : [];
  const answers = [...(given === undefined ? [] : plainLiterals(given, text)), ...returnedLiterals(node, text)];
  return { inputs: literalsIn(value, text), answers: new Set(answers) };
}

/** The values of a `match` arm, or the comparisons in an arm of `match (true)`. */
function comparedIn(condition: SyntaxNode, text: string): Set<string> {
  return new Set([
    ...comparedLiterals(condition, text),
    ...namedChildren(condition).flatMap((each) => piecesIn(each, text)),
  ]);
}

/** Literals that are compared, and literals in the arguments of a call in a condition. */
function comparedLiterals(condition: SyntaxNode, text: string): Set<string> {
  const found = new Set<string>();
  for (const node of nodesOf(condition)) {
    const isEquality = node.children.some((each) => !each.named && EQUALITY.test(plainText(each, text)));
    const isAsked = CALLS.has(node.kind) || node.kind === 'let_condition';
    if (!isEquality && !isAsked) continue;
    const sides = isAsked ? [node] : node.children.filter((each) => !isRemainder(each, text));
    for (const value of sides.flatMap((each) => piecesIn(each, text))) found.add(value);
  }
  return found;
}

/** `n % 15` tests for all multiples, not for the input 15. */
function isRemainder(node: SyntaxNode, text: string): boolean {
  const bare = node.kind === 'parenthesized_expression' ? (namedChildren(node)[0] ?? node) : node;
  const operator = /^binary_/.test(bare.kind) ? operatorOf(bare) : null;
  return plainText(operator, text) === '%';
}

/** Literals, and the numbers and words inside of them: `6x7` and `[6,7]` contain 6 and 7. */
function piecesIn(node: SyntaxNode, text: string): string[] {
  const patterns = [...nodesOf(node)]
    .filter(({ kind, parent }) => PARTS.has(kind) || parent?.kind === 'regex')
    .map((each) => plainText(each, text));
  const whole = [...literalsIn(node, text), ...patterns];
  return [...whole, ...whole.flatMap((each) => each.match(/\d+|[A-Za-z]{2,}/g) ?? [])];
}

function isTableOfAnswers(table: SyntaxNode, text: string, asserted: readonly ReadonlySet<string>[]): boolean {
  if (isMapOfJava(table, text)) return isAlternating(namedChildren(table), text, asserted);
  // In Ruby, arguments can be entries of a table: `table.update([6, 7] => 42)`.
  const entries = namedChildren(table).filter(({ kind }) => table.kind !== 'argument_list' || NAMED.has(kind));
  return (
    entries.length > 0 &&
    entries.every((entry) => {
      if (LISTS.has(entry.kind)) return isEntry(entry, text, asserted);
      const [first = null, second = null] = entry.kind === 'pair' ? [] : namedChildren(entry);
      const key = childOf(entry, 'key') ?? childOf(entry, 'name') ?? first;
      const value = childOf(entry, 'value') ?? second;
      if (!PAIRS.has(entry.kind) || key === null || value === null) return false;
      const inputs = [literalOf(key, text) ?? plainText(key, text), ...piecesIn(key, text)];
      return pairIn(asserted, new Set(inputs), new Set(plainLiterals(value, text))) !== undefined;
    })
  );
}

export function isMapOfJava({ kind, parent }: SyntaxNode, text: string): boolean {
  return (
    kind === 'argument_list' && parent !== null && /(?:^|\.)\w*Map\.(?:of|entry)$/.test(chainOf(parent, text).join('.'))
  );
}

/** Whether arguments alternate between keys and values, as in `Map.of`, and all are pairs of a test. */
function isAlternating(given: readonly SyntaxNode[], text: string, asserted: readonly ReadonlySet<string>[]): boolean {
  const pairs = inPairs(given);
  return (
    pairs.length > 0 &&
    pairs.every(([key, value]) => {
      if (key === undefined || value === undefined) return false;
      return pairIn(asserted, new Set(piecesIn(key, text)), new Set(plainLiterals(value, text))) !== undefined;
    })
  );
}

export function inPairs(nodes: readonly SyntaxNode[]): SyntaxNode[][] {
  return nodes.flatMap((_, index) => (index % 2 === 0 ? [nodes.slice(index, index + 2)] : []));
}

/** `[6, 42]` in a list of pairs. */
function isEntry(entry: SyntaxNode, text: string, asserted: readonly ReadonlySet<string>[]): boolean {
  const values = namedChildren(entry);
  const answer = values.at(-1);
  const known = answer === undefined ? [] : plainLiterals(answer, text);
  const inputs = values.slice(0, -1).flatMap((each) => piecesIn(each, text));
  return pairIn(asserted, new Set(inputs), new Set(known)) !== undefined;
}
