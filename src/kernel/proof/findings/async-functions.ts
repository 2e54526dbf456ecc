import { childOf, nodesOf, plainText } from '../syntax/walk.ts';
import type { SourceText } from './finding.ts';
import { FUNCTIONS } from './names.ts';

/** Returns the names of functions that return a promise or a coroutine. */
export function asyncFunctions(files: readonly SourceText[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { root, text } of files) {
    for (const node of nodesOf(root)) {
      if (!FUNCTIONS.has(node.kind) || node.children[0]?.kind !== 'async') continue;
      const name = childOf(node, 'name') ?? childOf(node.parent, 'name');
      if (name !== null) found.add(plainText(name, text));
    }
  }
  return found;
}
