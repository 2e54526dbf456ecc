import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { childOf, namedChildren, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { SourceText } from '../../finding.ts';
import { CALLS, lastName } from '../../names.ts';
import { assertingFunctions, isInside } from './asserting-functions.ts';
import type { AssertingSource, WrittenCase, WrittenTests } from './test-case.ts';

/** How tests are written in one compiled language. */
export interface CompiledTests {
  caseAt(node: SyntaxNode, text: string): WrittenCase | null;
  /** Returns the asserting node if `node` fails the case. A condition around it is part of the assertion. */
  assertionAt(node: SyntaxNode, text: string): SyntaxNode | null;
  /** Returns assertions about the case as a whole, outside of its statements: `#[should_panic]`. */
  around?(body: SyntaxNode, text: string): SyntaxNode[];
  subjects(assertion: SyntaxNode, text: string): SyntaxNode[];
  /** Whether a node around an assertion, or the case itself, hides its failure from the runner. */
  swallows(node: SyntaxNode, assertion: SyntaxNode, source: AssertingSource): boolean;
  /** Whether a node around an assertion starts something that the case does not wait for. */
  starts(node: SyntaxNode, within: SyntaxNode, text: string): boolean;
  readonly branches: ReadonlySet<string>;
  /** Cases of a switch or match. Each of them may not run. */
  readonly arms: ReadonlySet<string>;
}

const RETURNS = /^return_(?:statement|expression)$/;

/** Reads the tests of one file by the rules of its language. */
export function compiledTests(source: SourceText, language: CompiledTests): WrittenTests {
  const { text } = source;
  const isOwn = (node: SyntaxNode): boolean => language.assertionAt(node, text) !== null;
  const asserting: AssertingSource = { ...source, asserted: assertingFunctions(source, isOwn, new Set()) };
  const assertions = (node: SyntaxNode): SyntaxNode[] => assertionsIn(node, asserting, language);
  return {
    cases: [...nodesOf(source.root)].flatMap((node) => language.caseAt(node, text) ?? []),
    unread: [],
    assertions,
    subjects: (assertion) => language.subjects(assertion, text),
    swallowed: (assertion, within) =>
      [...ancestors(assertion, within), within].some((each) => language.swallows(each, assertion, asserting)),
    unawaited: (assertion, within) => ancestors(assertion, within).some((each) => language.starts(each, within, text)),
    conditional: (assertion, within) => isConditional(assertion, within, language, assertions),
  };
}

function assertionsIn(node: SyntaxNode, { text, asserted }: AssertingSource, language: CompiledTests): SyntaxNode[] {
  const found = new Set(language.around?.(node, text));
  for (const each of nodesOf(node)) {
    const own = language.assertionAt(each, text);
    const isHelper = CALLS.has(each.kind) && asserted.has(lastName(each, text));
    if (own !== null && isInside(own, node)) found.add(own);
    else if (own !== null || isHelper) found.add(each);
  }
  return [...found];
}

export function ancestors(node: SyntaxNode, within: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let each = node.parent; each !== null && each !== within; each = each.parent) found.push(each);
  return found;
}

function isConditional(
  assertion: SyntaxNode,
  within: SyntaxNode,
  { branches, arms }: CompiledTests,
  assertions: (node: SyntaxNode) => SyntaxNode[],
): boolean {
  let below = assertion;
  for (const each of [...ancestors(assertion, within), within]) {
    if (branches.has(each.kind) && below.field !== 'condition' && below.field !== 'initializer') {
      const both = [childOf(each, 'consequence'), childOf(each, 'alternative')];
      if (!both.every((part) => part !== null && assertions(part).length > 0)) return true;
    }
    if (arms.has(each.kind)) {
      const all = each.parent?.children.filter(({ kind }) => arms.has(kind)) ?? [];
      const isWhole = each.kind === 'match_arm' || all.some((part) => part.children[0]?.kind === 'default');
      if (!isWhole || !all.every((part) => assertions(part).length > 0)) return true;
    }
    if (leavesBefore(each, below, branches)) return true;
    below = each;
  }
  return false;
}

/** Whether a `return`, alone or in a branch, comes before a statement in its block. */
function leavesBefore(block: SyntaxNode, statement: SyntaxNode, branches: ReadonlySet<string>): boolean {
  for (const each of block.children) {
    if (each.start >= statement.start) return false;
    const own = each.kind === 'expression_statement' ? (each.children[0] ?? each) : each;
    if (RETURNS.test(own.kind)) return true;
    const part = branches.has(own.kind) ? childOf(own, 'consequence') : null;
    if (part === null) continue;
    if (RETURNS.test(part.kind)) return true;
    // In Go, the statements of a block are in a list.
    const statements = namedChildren(part).flatMap((child) =>
      child.kind === 'statement_list' ? namedChildren(child) : [child],
    );
    const last = statements.at(-1);
    if (last === undefined) continue;
    const left = last.kind === 'expression_statement' ? (last.children[0] ?? last) : last;
    if (RETURNS.test(left.kind)) return true;
  }
  return false;
}

export function nameOf(node: SyntaxNode, text: string): string {
  const name = childOf(node, 'name');
  return plainText(name, text);
}
