import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import type { InspectedChange, InspectedFile, Inspection } from '../finding.ts';
import { childOf, namedChildren, nodesOf, textOf } from '../../syntax/walk.ts';
import { calleeOf, CALLS, chainOf, literalOf, literalsIn } from '../names.ts';
import { writtenTests } from '../tests/written-tests.ts';

/** Too usual to say anything. */
const COMMON = new Set([
  '',
  '0',
  '1',
  '-1',
  '2',
  '10',
  '100',
  ' ',
  '\\n',
  ',',
  '.',
  '/',
  '-',
  '_',
  ':',
  'a',
  'b',
  'utf8',
  'utf-8',
]);
const BRANCHES = new Set(['if_statement', 'elif_clause', 'ternary_expression', 'conditional_expression']);
const TABLES = new Set(['object', 'dictionary', 'array', 'list']);
const LOGICAL = new Set(['binary_expression', 'boolean_operator']);
/** Calls that compare: `[6].includes(a)`, `/^6,7$/.test(…)`. */
const COMPARES = /^(?:includes|has|test|startsWith|endsWith|is|match|indexOf|equals|isDeepStrictEqual)$/;

/** A branch for exactly an input of a test that gives exactly the answer which that test expects. */
export const specialCasedInput: Inspection = {
  kind: 'special-cased-input',
  *look(file, change) {
    const asserted = assertedLiterals(change);
    if (asserted.length === 0) return;
    for (const node of nodesOf(file.root)) {
      if (isBefore(node, file)) continue;
      const pair = BRANCHES.has(node.kind)
        ? branchPair(node, file.text)
        : (logicalPair(node, file.text) ?? casePair(node, file.text));
      const hit = pair === null ? undefined : pairIn(asserted, pair.inputs, pair.answers);
      if (hit !== undefined) yield { line: node.line, words: `${shown(hit)} is an input and an answer of one test` };
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

/** The literals of each assertion of the changed tests. */
function assertedLiterals({ tests }: InspectedChange): ReadonlySet<string>[] {
  return tests.flatMap((file) => {
    const written = writtenTests(file.language, file);
    const assertions = written?.cases.flatMap(({ body }) => written.assertions(body)) ?? [];
    return assertions.map((each) => literalsIn(each, file.text)).filter((literals) => literals.size >= 2);
  });
}

function isBefore(node: SyntaxNode, { before, text }: InspectedFile): boolean {
  return before !== null && node.named && before.text.includes(textOf(node, text));
}

function branchPair(node: SyntaxNode, text: string): Pair | null {
  const condition =
    childOf(node, 'condition') ?? (node.kind === 'conditional_expression' ? (node.children[2] ?? null) : null);
  const way = childOf(node, 'consequence') ?? node.children[0] ?? null;
  if (condition === null || way === null) return null;
  return { inputs: comparedLiterals(condition, text), answers: returnedLiterals(way, node, text) };
}

/** `a === 6 && 42`. */
function logicalPair(node: SyntaxNode, text: string): Pair | null {
  if (!LOGICAL.has(node.kind)) return null;
  const [left, operator, right] = node.children;
  if (left === undefined || right === undefined || !/^(?:&&|and)$/.test(textOf(operator ?? node, text))) return null;
  const answer = literalOf(right, text);
  return answer === null ? null : { inputs: comparedLiterals(left, text), answers: new Set([answer]) };
}

/** A `case` of a switch or a match. */
function casePair(node: SyntaxNode, text: string): Pair | null {
  if (node.kind !== 'switch_case' && node.kind !== 'case_clause') return null;
  const value = childOf(node, 'value') ?? node.children.find(({ named }) => named) ?? null;
  return value === null ? null : { inputs: literalsIn(value, text), answers: returnedLiterals(node, node, text) };
}

function comparedLiterals(condition: SyntaxNode, text: string): Set<string> {
  const found = new Set<string>();
  for (const node of nodesOf(condition)) {
    const isEquality = node.children.some((each) => !each.named && /^(?:===?|in|is)$/.test(textOf(each, text)));
    const isCall = CALLS.has(node.kind) && COMPARES.test(chainOf(calleeOf(node), text).at(-1) ?? '');
    if (isEquality || isCall) for (const value of piecesIn(node, text)) found.add(value);
  }
  return found;
}

/** Literals, and the words in them: `6x7` and `[6,7]` compare with 6 and with 7. */
function piecesIn(node: SyntaxNode, text: string): string[] {
  const patterns = [...nodesOf(node)].filter(({ kind }) => kind === 'regex_pattern').map((each) => textOf(each, text));
  const whole = [...literalsIn(node, text), ...patterns];
  return [...whole, ...whole.flatMap((each) => each.match(/\d+|[A-Za-z]{2,}/g) ?? [])];
}

function returnedLiterals(way: SyntaxNode, branch: SyntaxNode, text: string): Set<string> {
  if (branch.kind === 'ternary_expression' || branch.kind === 'conditional_expression') return literalsIn(way, text);
  const found = new Set<string>();
  for (const node of nodesOf(way)) {
    const isAssigned = node.kind === 'assignment_expression' || node.kind === 'assignment';
    if (node.kind !== 'return_statement' && !isAssigned) continue;
    for (const child of isAssigned ? [childOf(node, 'right') ?? node] : node.children) {
      // What is computed is no answer that was copied.
      const isPlain =
        literalOf(child, text) !== null || ['array', 'list', 'object', 'dictionary', 'tuple'].includes(child.kind);
      if (isPlain) for (const value of literalsIn(child, text)) found.add(value);
    }
  }
  return found;
}

function pairIn(
  asserted: readonly ReadonlySet<string>[],
  inputs: ReadonlySet<string>,
  answers: ReadonlySet<string>,
): [string, string] | undefined {
  for (const input of inputs) {
    for (const answer of answers) {
      if (input === answer || (COMMON.has(input) && COMMON.has(answer))) continue;
      if (asserted.some((literals) => literals.has(input) && literals.has(answer))) return [input, answer];
    }
  }
  return undefined;
}

function isTableOfAnswers(table: SyntaxNode, text: string, asserted: readonly ReadonlySet<string>[]): boolean {
  const entries = table.children.filter(({ named }) => named);
  return (
    entries.length > 0 &&
    entries.every((entry) => {
      if (table.kind === 'array' || table.kind === 'list') return isEntry(entry, text, asserted);
      const key = childOf(entry, 'key');
      const value = childOf(entry, 'value');
      if (entry.kind !== 'pair' || key === null || value === null) return false;
      const inputs = [literalOf(key, text) ?? textOf(key, text), ...piecesIn(key, text)];
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

function shown([input, answer]: readonly [string, string]): string {
  return `${JSON.stringify(input)} with ${JSON.stringify(answer)}`;
}
