import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { nodesOf, plainText, rootOf } from '../../syntax/walk.ts';
import { callsIn, chainOf, firstName, functionName, FUNCTIONS } from '../names.ts';
import type { WrittenTests } from './languages/test-case.ts';

const LIBRARIES = /^(?:expect|assert|should|self)$/;

/**
 * Returns whether an assertion calls a helper in the same file that calls the tested code. Then `check(4, 'IV')`
 * asserts more than its constants.
 */
export function callsTestingHelper(assertion: SyntaxNode, tests: WrittenTests, text: string): boolean {
  const name = chainOf(assertion, text).at(-1);
  if (name === undefined) return false;
  return [...nodesOf(rootOf(assertion))].some((node) => {
    if (!FUNCTIONS.has(node.kind) || nameOf(node, text) !== name) return false;
    const assertions = new Set(tests.assertions(node));
    return callsIn(node).some((call) => !assertions.has(call) && !LIBRARIES.test(firstName(call, text)));
  });
}

function nameOf(node: SyntaxNode, text: string): string | null {
  const name = functionName(node);
  return name === null ? null : plainText(name, text);
}
