import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';

/** The node and everything below it, in the order of the text. */
export function* nodesOf(node: SyntaxNode): Generator<SyntaxNode> {
  const waiting = [node];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    yield each;
    for (let index = each.children.length - 1; index >= 0; index -= 1) {
      const child = each.children[index];
      if (child !== undefined) waiting.push(child);
    }
  }
}

/** The nearest node above that fits. */
export function above(node: SyntaxNode, fits: (node: SyntaxNode) => boolean): SyntaxNode | null {
  for (let each = node.parent; each !== null; each = each.parent) if (fits(each)) return each;
  return null;
}

export function childOf(node: SyntaxNode, field: string): SyntaxNode | null {
  return node.children.find((child) => child.field === field) ?? null;
}

export function namedChildren(node: SyntaxNode): SyntaxNode[] {
  return node.children.filter((child) => child.named && !child.kind.endsWith('comment'));
}

export function textOf(node: SyntaxNode, text: string): string {
  return text.slice(node.start, node.end);
}

/** The operator of a unary or binary expression, as it is in the text. */
export function operatorOf(node: SyntaxNode): SyntaxNode | null {
  return childOf(node, 'operator') ?? childOf(node, 'operators') ?? node.children.find((child) => !child.named) ?? null;
}
