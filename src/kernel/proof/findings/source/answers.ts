import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { childOf, namedChildren, nodesOf } from '../../syntax/walk.ts';
import type { InspectedChange } from '../finding.ts';
import { literalOf, literalsIn } from '../names.ts';
import { writtenTests } from '../tests/written-tests.ts';

/** Too usual to say anything. */
const COMMON = new Set([
  ...['', '0', '1', '-1', '2', '10', '100', ' ', '\\n', ',', '.', '/', '-', '_', ':', 'a', 'b', 'utf8', 'utf-8'],
]);
export const BRANCHES: ReadonlySet<string> = new Set([
  ...['if_statement', 'if_expression', 'elif_clause', 'ternary_expression', 'conditional_expression'],
]);
const COMPILED = new Set<string>(['go', 'rust', 'java']);
/** Of one case: with more, some pair is there by chance. */
const MAX_LITERALS = 40;
const CONDITIONAL = new Set(['ternary_expression', 'conditional_expression']);
const COLLECTIONS = new Set(['array', 'list', 'object', 'dictionary', 'tuple']);

export function isCommon(value: string): boolean {
  return COMMON.has(value);
}

/** The literals of each assertion of the changed tests. */
export function assertedLiterals({ tests }: InspectedChange): ReadonlySet<string>[] {
  return tests.flatMap((file) => {
    const written = writtenTests(file.language, file);
    // The input is in a statement or a row of its own, and the assertion compares names.
    if (COMPILED.has(file.language)) {
      const all = written.cases.map(({ body }) => literalsIn(body, file.text));
      return all.filter(({ size }) => size > 0 && size <= MAX_LITERALS);
    }
    const assertions = written.cases.flatMap(({ body }) => written.assertions(body));
    return assertions.map((each) => literalsIn(each, file.text)).filter((literals) => literals.size > 0);
  });
}

/** Whether some assertion has both, an input and the answer to it. */
export function pairIn(
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

export function conditionOf(branch: SyntaxNode): SyntaxNode | null {
  return (
    childOf(branch, 'condition') ?? (branch.kind === 'conditional_expression' ? (branch.children[2] ?? null) : null)
  );
}

/** Literals that the first way of a branch answers with. */
export function answersOf(branch: SyntaxNode, text: string): ReadonlySet<string> {
  const way = childOf(branch, 'consequence') ?? branch.children[0] ?? null;
  if (way === null) return new Set();
  return CONDITIONAL.has(branch.kind) ? literalsIn(way, text) : returnedLiterals(way, text);
}

/** Literals that are returned, or put into a variable. What is computed is no answer that was copied. */
export function returnedLiterals(way: SyntaxNode, text: string): Set<string> {
  const found = new Set<string>();
  for (const node of nodesOf(way)) {
    const isAssigned = node.kind === 'assignment_expression' || node.kind === 'assignment';
    const isReturned = node.kind === 'return_statement' || node.kind === 'return_expression';
    if (!isReturned && !isAssigned && node.kind !== 'block') continue;
    const values = isAssigned ? [childOf(node, 'right') ?? node] : isReturned ? node.children : valueOfBlock(node);
    for (const child of values.flatMap((each) => (each.kind === 'expression_list' ? each.children : [each]))) {
      const isPlain = literalOf(child, text) !== null || COLLECTIONS.has(child.kind);
      if (isPlain) for (const value of literalsIn(child, text)) found.add(value);
    }
  }
  return found;
}

/** A block of Rust has the value of its last expression. */
function valueOfBlock(block: SyntaxNode): SyntaxNode[] {
  return namedChildren(block).slice(-1);
}

export function shownPair([input, answer]: readonly [string, string]): string {
  return `${JSON.stringify(input)} with ${JSON.stringify(answer)}`;
}
