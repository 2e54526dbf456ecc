import type { SyntaxNode } from '../../contracts/ports/syntax.ts';

/** The grammar takes the word for the parameter, and the parameter after it for an error. */
const VARIANCE = /^(?:(?:in|out)\s+)?[\w$]+$/;
const PARAMETERS = /^type_parameters?$/;

/**
 * Whether the only errors of a TypeScript text are `in` and `out` before a type parameter, which the grammar does not
 * know. Names alone are no code.
 */
export function lacksOnlyVariance(root: SyntaxNode, text: string): boolean {
  const waiting: SyntaxNode[] = [...root.children];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const isMissing = node.start === node.end && node.children.length === 0;
    if (isMissing) return false;
    const isVariance = PARAMETERS.test(node.parent?.kind ?? '') && VARIANCE.test(text.slice(node.start, node.end));
    if (node.kind === 'ERROR' && !isVariance) return false;
    waiting.push(...node.children);
  }
  return true;
}
