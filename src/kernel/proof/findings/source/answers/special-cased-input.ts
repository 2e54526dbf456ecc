import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { childOf, namedChildren, nodesOf, operatorOf, plainText } from '../../../syntax/walk.ts';
import type { Inspection } from '../../finding.ts';
import { CALLS, chainOf, literalOf, literalsIn } from '../../names.ts';
import { answersOf, BRANCHES, conditionOf, pairIn, returnedLiterals, shownPair } from './answers.ts';

const CASES = new Set([
  'switch_case',
  'case_clause',
  'match_arm',
  'expression_case',
  'when',
  'match_conditional_expression',
  'case_statement',
]);
const TABLES = new Set(['object', 'dictionary', 'array', 'list', 'hash', 'array_creation_expression', 'argument_list']);
const LOGICAL = new Set(['binary_expression', 'boolean_operator', 'binary']);
/** Calls that compare: `[6].includes(a)`, `/^6,7$/.test(…)`. */
const COMPARES =
  /^(?:includes|has|test|startsWith|endsWith|is|match|indexOf|equals|isDeepStrictEqual|include\?|key\?|eql\?|equal\?|match\?|start_with\?|end_with\?)$/;

/** A branch for exactly an input of a test that gives exactly the answer which that test expects. */
export const specialCasedInput: Inspection = {
  kind: 'special-cased-input',
  *look(file, change) {
    const asserted = change.asserted;
    if (asserted.length === 0) return;
    for (const node of nodesOf(file.root)) {
      if (!file.isAdded(node)) continue;
      const pair = BRANCHES.has(node.kind)
        ? branchPair(node, file.text)
        : (logicalPair(node, file.text) ?? casePair(node, file.text));
      const hit = pair === null ? undefined : pairIn(asserted, pair.inputs, pair.answers);
      if (hit !== undefined)
        yield { line: node.line, words: `${shownPair(hit)} is an input and an answer of one test` };
      if (TABLES.has(node.kind) && isTableOfAnswers(node, file.text, asserted)) {
        yield { line: node.line, words: 'every entry of this table is an input and an answer of one test' };
      }
    }
  },
};

interface Pair {
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

/** A `case` of a switch or a match. */
function casePair(node: SyntaxNode, text: string): Pair | null {
  if (!CASES.has(node.kind)) return null;
  const arm = node.kind === 'match_arm' ? childOf(node, 'value') : null;
  const ofMatch = childOf(node, 'conditional_expressions');
  const answered = childOf(node, 'return_expression');
  if (ofMatch !== null && answered !== null)
    return { inputs: comparedIn(ofMatch, text), answers: literalsIn(answered, text) };
  const own = arm === null ? null : literalOf(arm, text);
  const pattern = arm === null ? null : childOf(node, 'pattern');
  if (own !== null && pattern !== null) return { inputs: literalsIn(pattern, text), answers: new Set([own]) };
  const value = childOf(node, 'value') ?? namedChildren(node)[0] ?? null;
  return value === null ? null : { inputs: literalsIn(value, text), answers: returnedLiterals(node, text) };
}

/** What `match` compares with, or the comparisons that one of `true` is of. */
function comparedIn(condition: SyntaxNode, text: string): Set<string> {
  return new Set([
    ...comparedLiterals(condition, text),
    ...namedChildren(condition).flatMap((each) => piecesIn(each, text)),
  ]);
}

function comparedLiterals(condition: SyntaxNode, text: string): Set<string> {
  const found = new Set<string>();
  for (const node of nodesOf(condition)) {
    const isEquality = node.children.some((each) => !each.named && /^(?:===?|in|is)$/.test(plainText(each, text)));
    const isCall = CALLS.has(node.kind) && COMPARES.test(chainOf(node, text).at(-1) ?? '');
    if (!isEquality && !isCall) continue;
    const sides = isCall ? [node] : node.children.filter((each) => !isRemainder(each, text));
    for (const value of sides.flatMap((each) => piecesIn(each, text))) found.add(value);
  }
  return found;
}

/** `n % 15` asks about all multiples, not about 15. */
function isRemainder(node: SyntaxNode, text: string): boolean {
  const bare = node.kind === 'parenthesized_expression' ? (namedChildren(node)[0] ?? node) : node;
  const operator = /^binary_/.test(bare.kind) ? operatorOf(bare) : null;
  return operator !== null && plainText(operator, text) === '%';
}

/** Literals, and the words in them: `6x7` and `[6,7]` compare with 6 and with 7. */
function piecesIn(node: SyntaxNode, text: string): string[] {
  const patterns = [...nodesOf(node)]
    .filter(({ kind }) => kind === 'regex_pattern')
    .map((each) => plainText(each, text));
  const whole = [...literalsIn(node, text), ...patterns];
  return [...whole, ...whole.flatMap((each) => each.match(/\d+|[A-Za-z]{2,}/g) ?? [])];
}

function isTableOfAnswers(table: SyntaxNode, text: string, asserted: readonly ReadonlySet<string>[]): boolean {
  // Ruby takes entries of a table as arguments: `table.update([6, 7] => 42)`.
  const entries = namedChildren(table).filter(({ kind }) => table.kind !== 'argument_list' || kind === 'pair');
  return (
    entries.length > 0 &&
    entries.every((entry) => {
      if (table.kind === 'array' || table.kind === 'list') return isEntry(entry, text, asserted);
      const [first = null, second = null] = entry.kind === 'array_element_initializer' ? namedChildren(entry) : [];
      const key = childOf(entry, 'key') ?? first;
      const value = childOf(entry, 'value') ?? second;
      if (!/^(?:pair|array_element_initializer)$/.test(entry.kind) || key === null || value === null) return false;
      const inputs = [literalOf(key, text) ?? plainText(key, text), ...piecesIn(key, text)];
      const answer = literalOf(value, text);
      return answer !== null && pairIn(asserted, new Set(inputs), new Set([answer])) !== undefined;
    })
  );
}

/** `[6, 42]` in a list of such pairs. */
function isEntry(entry: SyntaxNode, text: string, asserted: readonly ReadonlySet<string>[]): boolean {
  if (!['array', 'list', 'tuple'].includes(entry.kind)) return false;
  const values = namedChildren(entry);
  const answer = values.at(-1);
  const known = answer === undefined ? null : literalOf(answer, text);
  const inputs = values.slice(0, -1).flatMap((each) => piecesIn(each, text));
  return known !== null && pairIn(asserted, new Set(inputs), new Set([known])) !== undefined;
}
