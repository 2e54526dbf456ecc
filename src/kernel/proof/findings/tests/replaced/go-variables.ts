import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { above, childOf, childOrSelf, namedChildren, nodesOf, plainText } from '../../../syntax/walk.ts';
import { addedNodes } from '../../added-nodes.ts';
import type { InspectedFile, Place } from '../../finding.ts';
import { FUNCTIONS } from '../../names.ts';

/**
 * Yields assignments of a test to a function variable that the change adds. A variable with a library function (`var
 * now = time.Now`) is not reported: it exists so that tests can replace it.
 */
export function* goVariables(file: InspectedFile, sources: readonly InspectedFile[]): Generator<Place> {
  const variables = new Set(sources.flatMap(functionVariables));
  for (const node of addedNodes(file)) {
    if (node.kind !== 'assignment_statement') continue;
    const [names, values] = ['left', 'right'].map((field) => namedChildren(childOrSelf(node, field)));
    for (const [index, name] of (names ?? []).entries()) {
      const written = plainText(name, file.text);
      if (variables.has(written) && values?.[index]?.kind !== 'nil')
        yield {
          line: node.line,
          words: `it assigns a function to ${written}, so the source does not do its own work`,
        };
    }
  }
}

/**
 * Package variables that the change adds and whose value is a function literal, or which have a function type and no
 * value.
 */
function functionVariables({ language, root, text, isAdded }: InspectedFile): string[] {
  if (language !== 'go') return [];
  return [...nodesOf(root)].flatMap((node): string[] => {
    const isOwn = node.kind === 'var_spec' && isAdded(node) && above(node, ({ kind }) => FUNCTIONS.has(kind)) === null;
    const name = isOwn ? childOf(node, 'name') : null;
    return name !== null && holdsFunction(node) ? [plainText(name, text)] : [];
  });
}

function holdsFunction(variable: SyntaxNode): boolean {
  const value = childOf(variable, 'value');
  if (value === null) return childOf(variable, 'type')?.kind === 'function_type';
  return [value, ...namedChildren(value)].some(({ kind }) => kind === 'func_literal');
}
