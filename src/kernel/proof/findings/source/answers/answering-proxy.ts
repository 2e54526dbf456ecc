import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { childOf, childOrSelf, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { InspectedFile, Inspection } from '../../finding.ts';
import { argumentsOf, CALLS, chainOf, FUNCTIONS, identifiersIn, literalOf } from '../../names.ts';

/** Traps that decide what a property or call of the proxy returns. */
const ANSWERS = /^(?:get|has|apply|construct|ownKeys|getOwnPropertyDescriptor|getPrototypeOf)$/;

/**
 * A proxy that answers without its object: with the same value for every access, or with a value that a test expects.
 */
export const answeringProxy: Inspection = {
  kind: 'equality-redefined',
  *look(file, change) {
    const expected = new Set(change.asserted.flatMap((each) => [...each]));
    for (const call of nodesOf(file.root)) {
      const isProxy = CALLS.has(call.kind) && /^Proxy(?:\.revocable)?$/.test(chainOf(call, file.text).join('.'));
      if (!isProxy || !file.isAdded(call)) continue;
      for (const [name, trap] of trapsOf(call, file)) {
        if (ANSWERS.test(name) && answersByItself(trap, file.text, expected))
          yield { line: trap.line, words: `the trap ${name} of a Proxy returns a value without its object` };
      }
    }
  },
};

/** The functions of a handler that is an object literal or a constant of the file. */
function trapsOf(call: SyntaxNode, { root, text }: InspectedFile): [string, SyntaxNode][] {
  const handler = argumentsOf(call)[1];
  const object = handler?.kind === 'identifier' ? declared(root, plainText(handler, text), text) : handler;
  return (object?.children ?? []).flatMap((entry): [string, SyntaxNode][] => {
    const name = childOf(entry, 'name') ?? childOf(entry, 'key');
    const trap = entry.kind === 'method_definition' ? entry : childOf(entry, 'value');
    return name === null || trap === null || !FUNCTIONS.has(trap.kind) ? [] : [[plainText(name, text), trap]];
  });
}

function declared(root: SyntaxNode, name: string, text: string): SyntaxNode | null {
  for (const node of nodesOf(root)) {
    if (node.kind !== 'variable_declarator') continue;
    if (plainText(childOrSelf(node, 'name'), text) === name) return childOf(node, 'value');
  }
  return null;
}

function answersByItself(trap: SyntaxNode, text: string, expected: ReadonlySet<string>): boolean {
  const body = childOrSelf(trap, 'body');
  const list = childOf(trap, 'parameters') ?? childOf(trap, 'parameter');
  const parameters = list === null ? new Set<string>() : identifiersIn(list, text);
  const used = identifiersIn(body, text);
  const ignoresInput = ![...used].some((name) => parameters.has(name) || name === 'Reflect' || name === 'arguments');
  return ignoresInput || [...nodesOf(trap)].some((node) => answersWith(node, text, expected));
}

/** `return 42`, `() => 42`, and both values of `name === 'a' ? 42 : 0`. */
function answersWith(node: SyntaxNode, text: string, expected: ReadonlySet<string>): boolean {
  const value = literalOf(node, text);
  if (value === null || !expected.has(value)) return false;
  const isAlternative = node.field === 'consequence' || node.field === 'alternative';
  return node.parent?.kind === 'return_statement' || node.field === 'body' || isAlternative;
}
