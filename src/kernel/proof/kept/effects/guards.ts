import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import type { SourceText } from '../../findings/finding.ts';
import { CALLS, lastName } from '../../findings/names.ts';
import { childOf, namedChildren, nodesOf, plainText } from '../../syntax/walk.ts';

export interface NamedPlace {
  readonly name: string;
  readonly line: number;
}

interface NamedNode extends NamedPlace {
  readonly node: SyntaxNode;
}

/**
 * Yields constructs that protect code without a call: a held lock (`with lock:`, `synchronized`), a decorator, an
 * annotation.
 */
export function* guardsOf({ root, text }: SourceText): Generator<NamedNode> {
  for (const node of nodesOf(root)) {
    const guard = guardAt(node);
    if (guard !== null) yield { name: lastName(guard, text), line: guard.endLine, node: guard };
  }
}

function guardAt(node: SyntaxNode): SyntaxNode | null {
  switch (node.kind) {
    case 'with_item': {
      const value = childOf(node, 'value');
      return value?.kind === 'as_pattern' ? (namedChildren(value)[0] ?? value) : value;
    }
    case 'synchronized_statement':
      return node.children[0] ?? null;
    case 'decorator':
      return namedChildren(node)[0] ?? null;
    case 'annotation':
    case 'marker_annotation':
      return childOf(node, 'name');
    default:
      return null;
  }
}

const AWAITS = /^await(?:_expression)?$/;

export function* awaitedCalls({ root, text }: SourceText): Generator<NamedNode> {
  for (const node of nodesOf(root)) {
    const [call] = node.named && AWAITS.test(node.kind) ? namedChildren(node) : [];
    if (call !== undefined && CALLS.has(call.kind))
      yield { name: lastName(call, text), line: call.endLine, node: call };
  }
}

/** Yields calls whose result is not used and not awaited. */
export function* leftCalls({ root, text }: SourceText): Generator<NamedPlace> {
  for (const node of nodesOf(root)) {
    if (node.kind !== 'expression_statement') continue;
    const [call] = namedChildren(node);
    if (call === undefined || !CALLS.has(call.kind) || /\.(?:then|catch|finally)\(/.test(plainText(call, text)))
      continue;
    yield { name: lastName(call, text), line: call.endLine };
  }
}
