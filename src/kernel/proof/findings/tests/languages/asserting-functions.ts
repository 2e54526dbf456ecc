import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { nodesOf, plainText } from '../../../syntax/walk.ts';
import type { SourceText } from '../../finding.ts';
import { callsIn, functionName, FUNCTIONS, lastName } from '../../names.ts';

/**
 * Returns the names of functions in a file that assert, directly or through one another, together with the `known`
 * names.
 */
export function assertingFunctions(
  source: SourceText,
  isAssertion: (node: SyntaxNode) => boolean,
  known: ReadonlySet<string>,
): ReadonlySet<string> {
  const asserting = new Set(known);
  let waiting = namedFunctions(source);
  for (let size = -1; size !== asserting.size;) {
    size = asserting.size;
    waiting = waiting.filter(({ name, node }) => {
      const asserts =
        [...nodesOf(node)].some(isAssertion) ||
        callsIn(node).some((call) => asserting.has(lastName(call, source.text)));
      if (asserts) asserting.add(name);
      return !asserts;
    });
  }
  return asserting;
}

function namedFunctions({ root, text }: SourceText): { readonly name: string; readonly node: SyntaxNode }[] {
  return [...nodesOf(root)]
    .filter(({ kind }) => FUNCTIONS.has(kind))
    .flatMap((node) => {
      const name = functionName(node);
      return name === null ? [] : [{ name: plainText(name, text), node }];
    });
}

export function isInside(node: SyntaxNode, outer: SyntaxNode | null): boolean {
  return outer !== null && outer.start <= node.start && node.end <= outer.end;
}
