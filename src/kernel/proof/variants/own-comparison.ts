import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { lastText } from '../../../lib/text/first-last.ts';
import { argumentsOf, calleeOf, CALLS, chainOf, functionName, FUNCTIONS } from '../findings/names.ts';
import { childOf, namedChildren, nodesOf, rootOf, textOf } from '../syntax/walk.ts';

/** Matchers that accept more than one value. */
const LOOSE =
  /within|between|range|greater|less|close|contain|includ|match|some|any|one|throw|call|defined|truthy|falsy|null|instance|type|property|resolve|reject|snapshot|satisf|above|below|least|most|approx|start|end|key|ok|exist|member|nan|warn|log/i;
/** Names of parameters that only describe a failure. */
const LABELS =
  /^_?(?:message|msg|label|name|title|description|desc|what|why|hint|context|note|reason|testName|caseName)$/i;

/**
 * Returns the expected values in a call of a test helper, or of a matcher of an unknown library: `42` in
 * `checkProduct(mul(6, 7), 42)`. If all of them change, the call has to fail.
 */
export function ownComparison(assertion: SyntaxNode, text: string): readonly SyntaxNode[] {
  if (!CALLS.has(assertion.kind)) return [];
  const given = argumentsOf(assertion);
  const callee = assertion.kind === 'method_invocation' ? null : calleeOf(assertion);
  const chain = chainOf(callee, text);
  if (chain[0] === 'expect' && chain.length > 1 && !chain.includes('not'))
    return LOOSE.test(lastText(chain)) ? [] : given;
  const parameters = parametersOf(assertion, text);
  if (parameters === null || !given.some(hasCall)) return [];
  return given.filter((each, index) => !hasCall(each) && !LABELS.test(parameters[index] ?? ''));
}

function hasCall(node: SyntaxNode): boolean {
  return [...nodesOf(node)].some(({ kind }) => CALLS.has(kind));
}

/** The parameter names of the function that is called, if it is declared in the same file. */
function parametersOf(call: SyntaxNode, text: string): string[] | null {
  const called = call.kind === 'method_invocation' ? ownMethod(call) : calleeOf(call);
  if (called === null || !/^(?:identifier|attribute)$/.test(called.kind)) return null;
  const isOfSelf = called.kind === 'attribute' && textOf(called, text).startsWith('self.');
  const name = textOf(called, text).replace(/^self\./, '');
  for (const node of nodesOf(rootOf(call))) {
    if (!FUNCTIONS.has(node.kind)) continue;
    const named = functionName(node);
    const list = childOf(node, 'parameters');
    if (named === null || list === null || textOf(named, text) !== name) continue;
    return namedChildren(list)
      .flatMap((each) => namesIn(each, text))
      .slice(isOfSelf ? 1 : 0);
  }
  return null;
}

function ownMethod(call: SyntaxNode): SyntaxNode | null {
  return childOf(call, 'object') === null ? childOf(call, 'name') : null;
}

/** In Go, `a, b int` declares two names. */
function namesIn(parameter: SyntaxNode, text: string): string[] {
  if (parameter.kind === 'identifier') return [textOf(parameter, text)];
  const names = parameter.children.filter(({ field }) => field === 'name' || field === 'pattern');
  const [first] = names.length > 0 ? names : namedChildren(parameter);
  if (names.length > 1) return names.map((each) => textOf(each, text));
  return [textOf(first, text)];
}
