import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { nodesOf } from '../../syntax/walk.ts';
import type { InspectedFile } from '../finding.ts';

/** Nodes that the change has added: those that begin on a line which the file did not have before, wherever it was. */
export function* addedNodes({ root, text, before }: InspectedFile): Generator<SyntaxNode> {
  const known = new Set(before?.text.split('\n').map((line) => line.trim()));
  const isNew = text.split('\n').map((line) => !known.has(line.trim()));
  for (const node of nodesOf(root)) if (isNew[node.line - 1] === true) yield node;
}
