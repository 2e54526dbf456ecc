import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { lastText } from '../../../../../lib/text/first-last.ts';
import { above, childOf, namedChildren, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { SourceText } from '../../finding.ts';
import {
  argumentsOf,
  calleeOf,
  CALLS,
  callsIn,
  chainOf,
  firstName,
  FUNCTIONS,
  identifiersIn,
  lastName,
} from '../../names.ts';
import { assertingFunctions, isInside } from './asserting-functions.ts';
import { CASE_WORDS } from './case-callers.ts';
import { javascriptCases, parameters, SUITES } from './javascript-cases.ts';
import type { AssertingSource, WrittenTests } from './test-case.ts';

const ASSERTION_LIBRARIES =
  /^(?:node:)?assert(?:\/strict)?$|^(?:npm:)?(?:chai|vitest|expect|@jest\/globals|should|power-assert)(?:@[^/]*)?$|^bun:test$|^(?:jsr:\/?)?@std\/(?:assert|expect)\b|^https:\/\/deno\.land\/std\b.*\/(?:assert|expect|testing\/asserts)\b/;
/** Prefixes of function names that assert: `assertSame`, `expectFailure`, `checkAll`. */
const ASSERTS = /^(?:assert|expect|should|verify|check|ensure|must)/i;
/** Members of `expect` that are not matchers. */
const NO_MATCHER = new Set(['expect', 'not', 'resolves', 'rejects', 'to', 'be', 'soft', 'poll', 'element']);
/** Methods of a test context that do not assert. All other methods are assertions, as in tap and AVA. */
const CONTEXT_METHODS = new Set([
  ...[
    'test',
    'plan',
    'after',
    'afterEach',
    'before',
    'beforeEach',
    'diagnostic',
    'mock',
    'name',
    'signal',
    'skip',
    'todo',
  ],
  ...['runOnly', 'waitFor', 'teardown', 'timeout', 'log', 'context', 'end', 'comment', 'slow', 'retries', 'testdir'],
]);
const LATER = new Set([
  ...['setTimeout', 'setImmediate', 'setInterval', 'nextTick', 'queueMicrotask', 'on', 'once', 'addEventListener'],
  ...['addListener', 'then', 'catch', 'finally'],
]);

/** Reads tests of node:test, vitest, jest, mocha and runners with the same form. */
export function javascriptTests(text: SourceText): WrittenTests {
  const source: AssertingSource = { ...text, asserted: assertedNames(text) };
  return {
    ...javascriptCases(source),
    assertions: (node) => assertionsIn(node, source),
    subjects: (assertion) => {
      const callee = calleeOf(assertion);
      const inner = callee === null ? [] : callsIn(callee);
      const [owner = ''] = chainOf(callee, source.text);
      const isLibrary = source.asserted.has(owner) || ASSERTS.test(owner) || isContext(owner, assertion, source.text);
      return [...(isLibrary || callee === null ? [] : [callee]), ...[...inner, assertion].flatMap(argumentsOf)];
    },
    swallowed: (assertion, within) => isSwallowed(assertion, within, source),
    unawaited: (assertion, within) => isUnawaited(assertion, within, source),
    conditional: (assertion, within) => isConditional(assertion, within, source),
  };
}

function assertionsIn(node: SyntaxNode, source: AssertingSource): SyntaxNode[] {
  return [...nodesOf(node)].filter((each) => isAssertion(each, source.text, source.asserted));
}

function isSwallowed(assertion: SyntaxNode, within: SyntaxNode, source: AssertingSource): boolean {
  return ancestors(assertion, within).some((each) => {
    if (CALLS.has(each.kind)) return isCatching(each, assertion, source);
    if (each.kind !== 'try_statement' || !isInside(assertion, childOf(each, 'body'))) return false;
    const handler = childOf(each, 'handler');
    return handler !== null && swallows(handler, source);
  });
}

function isUnawaited(assertion: SyntaxNode, within: SyntaxNode, source: SourceText): boolean {
  const chain = chainOf(assertion, source.text);
  const isPromise = ['rejects', 'resolves', 'doesNotReject'].some((name) => chain.includes(name));
  if (isPromise && isDropped(assertion)) return true;
  if (hasCallback(within, source.text)) return false;
  return ancestors(assertion, within).some(
    (each) =>
      CALLS.has(each.kind) && isDropped(each) && (isThen(each, source.text) || isAsyncFunctionCalledInPlace(each)),
  );
}

/** Names of assertions in this file: imported from a library, or functions of the file that assert. */
function assertedNames(source: SourceText): ReadonlySet<string> {
  const imported = new Set<string>();
  for (const node of source.root.children) {
    if (node.kind !== 'import_statement') continue;
    const from = childOf(node, 'source');
    if (from === null || !ASSERTION_LIBRARIES.test(plainText(from, source.text).slice(1, -1))) continue;
    for (const name of identifiersIn(node, source.text)) if (!isRunnerWord(name)) imported.add(name);
  }
  return assertingFunctions(source, (node) => isAssertion(node, source.text, imported), imported);
}

function isRunnerWord(name: string): boolean {
  return (
    CASE_WORDS.has(name) ||
    SUITES.has(name) ||
    ['beforeEach', 'afterEach', 'beforeAll', 'afterAll', 'vi', 'jest'].includes(name)
  );
}

function isAssertion(node: SyntaxNode, text: string, known: ReadonlySet<string>): boolean {
  if (node.kind === 'throw_statement') return true;
  if (!CALLS.has(node.kind)) return false;
  const chain = chainOf(node, text);
  const [first = ''] = chain;
  const last = lastText(chain);
  // Only the whole chain `expect(a).toBe(b)` is an assertion, not the call `expect(a)` in it.
  if (first === 'expect') return !NO_MATCHER.has(last) && last !== 'assertions' && last !== 'hasAssertions';
  if (known.has(first) || ASSERTS.test(first) || chain.slice(1).some((name) => ASSERTS.test(name))) return true;
  return chain.length === 2 && !CONTEXT_METHODS.has(last) && isContext(first, node, text);
}

/** Whether a name is the parameter of the case around a node. It is the context of the runner, which has assertions. */
function isContext(name: string, node: SyntaxNode, text: string): boolean {
  const body = above(node, (each) => FUNCTIONS.has(each.kind) && each.parent?.kind === 'arguments');
  const call = body?.parent?.parent;
  if (body === null || !CASE_WORDS.has(firstName(call, text))) return false;
  return parameters(body, text)[0] === name;
}

/** Whether a case has a callback parameter. Such a case fails if the callback is never called. */
function hasCallback(body: SyntaxNode, text: string): boolean {
  return parameters(body, text).some((name) => /^(?:done|cb|callback|end)$/.test(name));
}

function ancestors(node: SyntaxNode, within: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let each = node.parent; each !== null && each !== within; each = each.parent) found.push(each);
  return found;
}

/** Whether a handler hides a failure: it does not throw, assert or pass the error on. */
function swallows(handler: SyntaxNode, source: AssertingSource): boolean {
  if (assertionsIn(handler, source).some((each) => !passesOnOneClass(each, handler))) return false;
  return !callsIn(handler).some((call) => /^(?:done|cb|callback|reject|fail|next)$/.test(lastName(call, source.text)));
}

/** `if (error instanceof TypeError) throw error` only throws errors of that class, not a failed assertion. */
function passesOnOneClass(thrown: SyntaxNode, handler: SyntaxNode): boolean {
  if (thrown.kind !== 'throw_statement') return false;
  return ancestors(thrown, handler).some((each) => {
    const condition = each.kind === 'if_statement' ? childOf(each, 'condition') : null;
    const tested = condition === null ? undefined : namedChildren(condition)[0];
    return tested?.children.some(({ kind }) => kind === 'instanceof') ?? false;
  });
}

/** `promise.catch(() => {})` around an assertion. */
function isCatching(call: SyntaxNode, assertion: SyntaxNode, source: AssertingSource): boolean {
  const callee = calleeOf(call);
  if (chainOf(callee, source.text).at(-1) !== 'catch' || !isInside(assertion, callee)) return false;
  const handler = argumentsOf(call)[0];
  return handler === undefined || (FUNCTIONS.has(handler.kind) && swallows(handler, source));
}

function isThen(call: SyntaxNode, text: string): boolean {
  return ['then', 'catch', 'finally'].includes(lastName(call, text));
}

function isAsyncFunctionCalledInPlace(call: SyntaxNode): boolean {
  const callee = calleeOf(call);
  const called = callee?.kind === 'parenthesized_expression' ? namedChildren(callee)[0] : callee;
  return called !== undefined && called !== null && FUNCTIONS.has(called.kind) && called.children[0]?.kind === 'async';
}

/** Whether the value of a node is not used, because it is a statement. */
function isDropped(node: SyntaxNode): boolean {
  const parent = node.parent;
  if (parent?.kind === 'unary_expression') return isDropped(parent);
  return parent?.kind === 'expression_statement';
}

function isConditional(assertion: SyntaxNode, within: SyntaxNode, source: AssertingSource): boolean {
  if (assertion.kind === 'throw_statement') return false;
  let below = assertion;
  for (const each of ancestors(assertion, within)) {
    if (each.kind === 'if_statement' && below.field !== 'condition' && !assertsInAllBranches(each, source)) return true;
    if (each.kind === 'switch_case' || (each.kind === 'ternary_expression' && below.field !== 'condition')) return true;
    if (
      each.kind === 'binary_expression' &&
      below.field === 'right' &&
      /&&|\|\||\?\?/.test(plainText(each.children[1] ?? each, source.text))
    )
      return true;
    if (each.kind === 'catch_clause' && !failsWithoutError(each, source)) return true;
    if (FUNCTIONS.has(each.kind) && runsLater(each, within, source)) return true;
    if (each.kind === 'statement_block' && leavesBefore(each, below, source.text)) return true;
    below = each;
  }
  return false;
}

function assertsInAllBranches(branch: SyntaxNode, source: AssertingSource): boolean {
  const parts = [childOf(branch, 'consequence'), childOf(branch, 'alternative')];
  return parts.every((part) => part !== null && assertionsIn(part, source).length > 0);
}

/** `try { f(); assert.fail() } catch (error) { … }` fails if nothing is thrown. Without `assert.fail()` it passes. */
function failsWithoutError(handler: SyntaxNode, source: AssertingSource): boolean {
  const body = childOf(handler.parent, 'body');
  return body !== null && assertionsIn(body, source).length > 0;
}

function runsLater(callback: SyntaxNode, within: SyntaxNode, source: SourceText): boolean {
  const call = callback.parent?.kind === 'arguments' ? callback.parent.parent : null;
  if (call === null || !LATER.has(lastName(call, source.text))) return false;
  if (hasCallback(within, source.text)) return false;
  // The case waits if the call is inside a promise, or if its result is awaited or returned.
  const isAwaited = (node: SyntaxNode): boolean =>
    ['await_expression', 'return_statement', 'variable_declarator', 'assignment_expression', 'arrow_function'].includes(
      node.kind,
    ) || node.kind === 'new_expression';
  const chain = ancestors(call, within);
  return !chain.some(isAwaited);
}

/** `if (error) return done(error)`: a case that receives an error fails. */
const FAILS_WITH_ERROR = /^if\((\w+)\)\{?return (?:done|cb|callback|end|reject)\(\1\);?\}?$/;

/** Whether a `return`, alone or in an `if`, comes before a statement in its block. */
function leavesBefore(block: SyntaxNode, statement: SyntaxNode, text: string): boolean {
  for (const each of block.children) {
    if (each === statement) return false;
    if (each.kind === 'return_statement') return true;
    if (each.kind === 'if_statement' && !FAILS_WITH_ERROR.test(plainText(each, text))) {
      const part = childOf(each, 'consequence');
      const left =
        part?.kind === 'statement_block' ? part.children.find((child) => child.kind === 'return_statement') : part;
      if (left?.kind === 'return_statement') return true;
    }
  }
  return false;
}
