import type { Tree, TreeCursor } from 'web-tree-sitter';
import type { SyntaxNode } from '../../contracts/ports/syntax.ts';

/** Maximum depth, so that callers may walk the tree by recursion. */
const MAX_DEPTH = 1_000;
const MAX_NODES = 500_000;

/** A node whose place can still change. */
export type Building = { -readonly [K in keyof SyntaxNode]: K extends 'children' ? Building[] : SyntaxNode[K] };

/**
 * The tree as plain data, which stays valid after the parser's memory is freed; null if it is deeper or larger than any
 * text of a person.
 */
export function plainTree(tree: Tree): Building | null {
  const cursor = tree.walk();
  try {
    const root = nodeAt(cursor, null);
    let current = root;
    let count = 1;
    let depth = 0;
    for (;;) {
      if (cursor.gotoFirstChild()) {
        depth += 1;
      } else {
        while (!cursor.gotoNextSibling()) {
          if (!cursor.gotoParent()) return root;
          depth -= 1;
          current = current.parent as Building;
        }
        current = current.parent as Building;
      }
      count += 1;
      if (depth > MAX_DEPTH || count > MAX_NODES) return null;
      const node = nodeAt(cursor, current);
      current.children.push(node);
      current = node;
    }
  } finally {
    cursor.delete();
  }
}

function nodeAt(cursor: TreeCursor, parent: Building | null): Building {
  return {
    kind: cursor.nodeType,
    field: cursor.currentFieldName,
    named: cursor.nodeIsNamed,
    start: cursor.startIndex,
    end: cursor.endIndex,
    line: cursor.startPosition.row + 1,
    endLine: cursor.endPosition.row + 1,
    parent,
    children: [],
  };
}
