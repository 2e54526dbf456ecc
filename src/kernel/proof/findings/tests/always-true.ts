import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { firstText, lastText } from '../../../../lib/text/first-last.ts';
import { childOf, childOrSelf, namedChildren, nodesOf, plainText } from '../../syntax/walk.ts';
import { argumentsOf, calleeOf, CALLS, callsIn, chainOf, lastName } from '../names.ts';
import type { CaseInspection } from './case-inspection.ts';

/** Assertions that accept every value which is not false, empty or missing. */
const ASKS_FOR_TRUTH = /^(?:assert|ok|isOk|toBeTruthy|toBeDefined|assertTrue|assertIsNotNone|exist|exists)$/;
const ALWAYS = new Set(['generator_expression', 'lambda', 'arrow_function', 'function_expression', 'class']);
/** Literals that are true if they are not empty, whatever they contain. */
const TRUE_IF_NOT_EMPTY = new Set(['tuple', 'array', 'object']);
/** Functions of Python that return an iterator. */
const ITERATORS = /^(?:map|filter|zip|iter|enumerate|reversed)$/;

/** Assertions that always pass: `assert (x == 1 for x in found)`, or `assert call()` of a coroutine without `await`. */
export const alwaysTrue: CaseInspection = {
  kind: 'always-true',
  look: ({ body }, tests, text, { asyncFunctions }) => {
    const isAlways = (node: SyntaxNode): boolean => {
      if (ALWAYS.has(node.kind)) return true;
      if (TRUE_IF_NOT_EMPTY.has(node.kind)) return namedChildren(node).length > 0;
      if (node.kind === 'parenthesized_expression') return namedChildren(node).some(isAlways);
      if (isUnawaited(node, text, asyncFunctions)) return true;
      // A coroutine is never equal to the value that the function returns.
      const isDifference =
        /^(?:comparison_operator|binary_expression)$/.test(node.kind) && /!=|is not/.test(operators(node, text));
      return isDifference && namedChildren(node).some((side) => isUnawaited(side, text, asyncFunctions));
    };
    const found = tests.assertions(body).some((each) => {
      const isStatement = each.kind === 'assert_statement';
      if (!isStatement && !ASKS_FOR_TRUTH.test(lastName(each, text))) return false;
      const [subject] = tests.subjects(each);
      return subject !== undefined && isAlways(subject);
    });
    if (found) return 'asserts something that is always true';
    return tests.assertions(body).some((each) => comparesAsJson(each, body, text))
      ? 'compares maps or sets as JSON, where all of them are {}'
      : null;
  },
};

const WITHOUT_JSON = /^(?:Weak)?(?:Map|Set)$/;

/** `JSON.stringify(new Map(…))`, also with a variable of the case. */
function comparesAsJson(assertion: SyntaxNode, body: SyntaxNode, text: string): boolean {
  const isMade = (node: SyntaxNode | null): boolean =>
    node?.kind === 'new_expression' && WITHOUT_JSON.test(plainText(calleeOf(node) ?? node, text));
  return callsIn(assertion).some((call) => {
    if (chainOf(call, text).join('.') !== 'JSON.stringify') return false;
    const [given, replacer] = argumentsOf(call);
    if (given === undefined || (replacer !== undefined && !/^null$/.test(plainText(replacer, text)))) return false;
    if (isMade(given)) return true;
    return (
      given.kind === 'identifier' &&
      [...nodesOf(body)].some(
        (each) =>
          each.kind === 'variable_declarator' &&
          plainText(childOrSelf(each, 'name'), text) === plainText(given, text) &&
          isMade(childOf(each, 'value')),
      )
    );
  });
}

function isUnawaited(node: SyntaxNode, text: string, asyncFunctions: ReadonlySet<string>): boolean {
  if (!CALLS.has(node.kind)) return false;
  const chain = chainOf(node, text);
  return (
    asyncFunctions.has(lastText(chain)) ||
    (node.kind === 'call' && chain.length === 1 && ITERATORS.test(firstText(chain)))
  );
}

function operators(node: SyntaxNode, text: string): string {
  return node.children
    .filter(({ named }) => !named)
    .map((each) => plainText(each, text))
    .join(' ');
}
