import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';

/** What is read of no node is empty. */
export type MaybeNode = SyntaxNode | null | undefined;

/** The node and all nodes below it, in the order of the text. */
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

/** The nearest ancestor that matches. */
export function above(node: SyntaxNode, fits: (node: SyntaxNode) => boolean): SyntaxNode | null {
  for (let each = node.parent; each !== null; each = each.parent) if (fits(each)) return each;
  return null;
}

export function rootOf(node: SyntaxNode): SyntaxNode {
  let root = node;
  while (root.parent !== null) root = root.parent;
  return root;
}

export function childOf(node: MaybeNode, field: string): SyntaxNode | null {
  return node?.children.find((child) => child.field === field) ?? null;
}

/** The child of this field; the node itself where it has none. */
export function childOrSelf(node: SyntaxNode, field: string): SyntaxNode {
  return childOf(node, field) ?? node;
}

/** The kind of a node; empty where there is no node. */
export function kindOf(node: MaybeNode): string {
  return node?.kind ?? '';
}

/** Whether a node is the key of an entry in an object, table or map, or the name of a field in Go. */
export function isKey(node: SyntaxNode): boolean {
  if (node.field === 'key') return true;
  const entry = node.parent?.kind === 'literal_element' ? node.parent.parent : node.parent;
  if (entry?.start !== node.start) return false;
  return entry.kind === 'keyed_element' || (entry.kind === 'array_element_initializer' && entry.end > node.end);
}

export function namedChildren(node: MaybeNode): SyntaxNode[] {
  return (node?.children ?? []).filter((child) => child.named && !child.kind.endsWith('comment'));
}

export function textOf(node: MaybeNode, text: string): string {
  return text.slice(node?.start ?? 0, node?.end ?? 0);
}

/** Nodes in which white space is part of the value. */
const TEXTS = /string|template|regex|char|comment|jsx/;
/** Longer texts are not names, and no pattern matches them. */
const MAX_PLAIN = 400;
const WORDS = /[\p{ID_Continue}$]{2}/u;

/**
 * The text of a node without insignificant white space: `process . env` becomes `process.env`. A long text is returned
 * unchanged.
 */
export function plainText(node: MaybeNode, text: string): string {
  const written = textOf(node, text);
  if (written.length > MAX_PLAIN || !/\s/.test(written) || TEXTS.test(kindOf(node))) return written;
  if (!node?.children.length) return written;
  let result = '';
  for (const child of node.children) {
    const part = plainText(child, text);
    const blank = WORDS.test(`${result.slice(-1)}${part.charAt(0)}`) ? ' ' : '';
    result += `${blank}${part}`;
  }
  return result;
}

/** The operator node of a unary or binary expression. */
export function operatorOf(node: MaybeNode): SyntaxNode | null {
  return (
    childOf(node, 'operator') ?? childOf(node, 'operators') ?? node?.children.find((child) => !child.named) ?? null
  );
}
