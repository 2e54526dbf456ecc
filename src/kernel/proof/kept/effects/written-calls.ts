import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import type { SourceText } from '../../findings/finding.ts';
import { argumentsOf, CALLS, calleeOf, chainOf } from '../../findings/names.ts';
import { childOf, nodesOf, plainText } from '../../syntax/walk.ts';

/** A call as it is written, in any language. */
export interface WrittenCall {
  readonly node: SyntaxNode;
  /** `['console', 'log']`; never empty. */
  readonly chain: readonly string[];
  /** The line of the last name. */
  readonly line: number;
}

/** Statements that correspond to calls in other languages. */
const STATEMENTS: ReadonlyMap<string, string> = new Map([
  ['assert_statement', 'assert'],
  ['echo_statement', 'echo'],
  ['print_intrinsic', 'print'],
]);

export function* callsOf({ root, text }: SourceText): Generator<WrittenCall> {
  for (const node of nodesOf(root)) {
    const chain = chainOfCall(node, text);
    const named = calleeOf(node) ?? childOf(node, 'name') ?? null;
    if (chain.length > 0) yield { node, chain, line: named?.endLine ?? node.line };
  }
}

function chainOfCall(node: SyntaxNode, text: string): string[] {
  if (CALLS.has(node.kind)) return chainOf(node, text);
  const statement = STATEMENTS.get(node.kind);
  return statement === undefined ? [] : [statement];
}

/** Yields names that are passed as arguments or assigned, so that other code can call them: `names.map(escape)`. */
export function* passedNames({ root, text }: SourceText): Generator<{ readonly name: string; readonly line: number }> {
  for (const node of nodesOf(root)) {
    if (node.children.length > 0 || !/identifier$/.test(node.kind)) continue;
    const last = node.field === 'property' || node.field === 'attribute' || node.field === 'field';
    const whole = last && node.parent !== null ? node.parent : node;
    const { parent } = whole;
    const isGiven = parent !== null && (/^decorator$|_alias$/.test(parent.kind) || givenTo(parent).includes(whole));
    if (isGiven || whole.field === 'value' || whole.field === 'right' || isRenamedImport(node))
      yield { name: plainText(node, text), line: node.endLine };
  }
}

function givenTo({ parent }: SyntaxNode): readonly SyntaxNode[] {
  return argumentsOf(parent);
}

/** `import { escape as esc }`. */
function isRenamedImport(node: SyntaxNode): boolean {
  const from = node.parent?.kind === 'dotted_name' ? node.parent : node;
  return from.field === 'name' && from.parent !== null && childOf(from.parent, 'alias') !== null;
}
