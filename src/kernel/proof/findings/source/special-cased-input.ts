import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import type { InspectedChange, InspectedFile, Inspection } from '../finding.ts';
import { childOf, nodesOf, textOf } from '../../syntax/walk.ts';
import { literalOf, literalsIn } from '../names.ts';
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
const TABLES = new Set(['object', 'dictionary']);

/** A branch for exactly an input of a test that gives exactly the answer which that test expects. */
export const specialCasedInput: Inspection = {
  kind: 'special-cased-input',
  *look(file, change) {
    const asserted = assertedLiterals(change);
    if (asserted.length === 0) return;
    for (const node of nodesOf(file.root)) {
      if (isBefore(node, file)) continue;
      const pair = BRANCHES.has(node.kind) ? branchPair(node, file.text) : casePair(node, file.text);
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
    if (isEquality) for (const value of literalsIn(node, text)) found.add(value);
  }
  return found;
}

function returnedLiterals(way: SyntaxNode, branch: SyntaxNode, text: string): Set<string> {
  if (branch.kind === 'ternary_expression' || branch.kind === 'conditional_expression') return literalsIn(way, text);
  const found = new Set<string>();
  for (const node of nodesOf(way)) {
    if (node.kind !== 'return_statement') continue;
    for (const child of node.children) {
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
      const key = childOf(entry, 'key');
      const value = childOf(entry, 'value');
      if (entry.kind !== 'pair' || key === null || value === null) return false;
      const input = literalOf(key, text) ?? textOf(key, text);
      const answer = literalOf(value, text);
      return answer !== null && pairIn(asserted, new Set([input]), new Set([answer])) !== undefined;
    })
  );
}

function shown([input, answer]: readonly [string, string]): string {
  return `${JSON.stringify(input)} with ${JSON.stringify(answer)}`;
}
