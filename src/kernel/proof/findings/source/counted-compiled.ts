import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { above, childOf, nodesOf, plainText } from '../../syntax/walk.ts';
import type { Inspection, InspectedFile } from '../finding.ts';
import { addedNodes } from '../added-nodes.ts';

const FUNCTIONS = new Set(['function_declaration', 'method_declaration', 'func_literal', 'function_item']);
const UPDATES = new Set(['inc_statement', 'dec_statement', 'assignment_statement', 'compound_assignment_expr']);
const ATOMIC = /\.(?:fetch_(?:add|sub|update)|Add)$/;

/** State of a package or crate that counts calls, in Go and Rust: a variable that a function changes by a number of its own. */
export const countedCompiled: Inspection = {
  kind: 'counts-calls',
  *look(file) {
    if (file.language !== 'go' && file.language !== 'rust') return;
    const shared = sharedNames(file);
    for (const node of addedNodes(file)) {
      const name = countedIn(node, file.text);
      if (name !== null && shared.has(name) && above(node, ({ kind }) => FUNCTIONS.has(kind)) !== null)
        yield { line: node.line, words: `${name} is shared by all calls, and this one changes it` };
    }
  },
};

/** Variables at the top of the file. */
function sharedNames({ root, text }: InspectedFile): Set<string> {
  const found = new Set<string>();
  for (const node of nodesOf(root)) {
    if (node.kind !== 'var_spec' && node.kind !== 'static_item') continue;
    if (above(node, ({ kind }) => FUNCTIONS.has(kind)) !== null) continue;
    for (const child of node.children) if (child.field === 'name') found.add(plainText(child, text));
  }
  return found;
}

/** The variable that a statement counts up or down. */
function countedIn(node: SyntaxNode, text: string): string | null {
  if (node.kind === 'call_expression') {
    const called = childOf(node, 'function');
    const name = called === null ? '' : plainText(called, text);
    return ATOMIC.test(name) ? name.replace(ATOMIC, '') : null;
  }
  if (!UPDATES.has(node.kind)) return null;
  const written = plainText(node, text);
  return /^(\w+)\s*(?:\+\+|--|[-+*]=|=\s*\1\s*[-+*])/.exec(written)?.[1] ?? null;
}
