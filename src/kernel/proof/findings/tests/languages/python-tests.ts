import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { lastText } from '../../../../../lib/text/first-last.ts';
import { above, childOf, childOrSelf, namedChildren, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { Place, SourceText } from '../../finding.ts';
import { argumentsOf, calleeOf, CALLS, callsIn, chainOf, lastName } from '../../names.ts';
import { assertingFunctions, isInside } from './asserting-functions.ts';
import type { AssertingSource, WrittenCase, WrittenTests } from './test-case.ts';

const ASSERTS = /^_?(?:assert|fail\b|verify|check|ensure|expect|should|must)/i;
/** Exceptions that include a failed assertion. */
const CATCHES_ASSERTIONS = /\b(?:AssertionError|Exception|BaseException)\b/;

/** Reads tests of pytest, unittest and Django. */
export function pythonTests(text: SourceText): WrittenTests {
  const asserted = assertingFunctions(text, (node) => isAssertion(node, text.text), new Set());
  const source: AssertingSource = { ...text, asserted };
  return {
    cases: [...nodesOf(source.root)].flatMap((node) => caseAt(node, source.text)),
    unread: [...nodesOf(source.root)].flatMap((node) => wrappedCase(node, source.text)),
    assertions: (node) => assertionsIn(node, source),
    subjects: (assertion) => {
      if (assertion.kind === 'assert_statement') return namedChildren(assertion).slice(0, 1);
      const callee = calleeOf(assertion);
      const isOwner = callee?.kind === 'attribute' && chainOf(callee, source.text)[0] !== 'self';
      return [...(isOwner ? [callee] : []), ...argumentsOf(assertion)];
    },
    swallowed: (assertion, within) => isSwallowed(assertion, within, source),
    unawaited: (_assertion, within) => neverRuns(within, source.text),
    conditional: (assertion, within) => isConditional(assertion, within, source),
  };
}

function caseAt(node: SyntaxNode, text: string): WrittenCase[] {
  const name = node.kind === 'function_definition' ? plainText(childOrSelf(node, 'name'), text) : '';
  if (!/^test|^runTest$/.test(name)) return [];
  const outer = above(node, ({ kind }) => kind === 'class_definition' || kind === 'function_definition');
  if (outer?.kind === 'function_definition') return [];
  const suite = childOf(outer, 'name');
  const decorators = decoratorsOf(node);
  const modifier = decorators
    .map((each) => /\b(skip|xfail|expectedFailure|flaky)/.exec(plainText(each, text))?.[1])
    .find((mark) => mark !== undefined);
  const full = [...(suite === null ? [] : [plainText(suite, text)]), name].join(' > ');
  // `test_adds[1-2]`. A decorator may make several cases of one function.
  const isReportedAs = (reported: string): boolean => {
    const last = reported.split(' > ').at(-1)?.replace(/\[.*$/s, '') ?? '';
    return decorators.length > 0 ? last.startsWith(name) : last === name;
  };
  return [{ name: full, line: node.line, body: node, modifier: modifier ?? null, isReportedAs }];
}

/** Decorators of runners and test libraries. The wrapped case still fails when its body fails. */
const KNOWN_DECORATORS =
  /^@(?:pytest|unittest|mock|patch|parameterized|ddt|data|unpack|hypothesis|given|settings|example|freeze_time|freezegun|responses|respx|asyncio|anyio|trio|functools|staticmethod|classmethod|override|typing|override_settings|tag|skip\w*|expectedFailure|httpretty|requests_mock|time_machine|moto|mock_\w+|vcr|django)\b/;

function wrappedCase(node: SyntaxNode, text: string): Place[] {
  const [written] = caseAt(node, text);
  const own =
    written === undefined
      ? undefined
      : decoratorsOf(node).find((each) => !KNOWN_DECORATORS.test(plainText(each, text)));
  return written === undefined || own === undefined
    ? []
    : [
        {
          line: own.line,
          words: `how ${plainText(own, text)} changes the case ${written.name} cannot be examined here`,
        },
      ];
}

function decoratorsOf({ parent }: SyntaxNode): readonly SyntaxNode[] {
  return parent?.kind === 'decorated_definition' ? parent.children.filter(({ kind }) => kind === 'decorator') : [];
}

function assertionsIn(node: SyntaxNode, { text, asserted }: AssertingSource): SyntaxNode[] {
  const isOwn = (each: SyntaxNode): boolean => CALLS.has(each.kind) && asserted.has(lastName(each, text));
  return [...nodesOf(node)].filter((each) => isAssertion(each, text) || isOwn(each));
}

function isSwallowed(assertion: SyntaxNode, within: SyntaxNode, source: AssertingSource): boolean {
  return ancestors(assertion, within).some((each) => {
    if (each.kind === 'with_statement') return suppresses(each, assertion, source.text);
    if (each.kind !== 'try_statement' || !isInside(assertion, childOf(each, 'body'))) return false;
    return each.children.some((child) => child.kind === 'except_clause' && swallows(child, source));
  });
}

/**
 * Whether a case is a coroutine function in `unittest.TestCase`, which never runs the coroutine. Test cases of Django
 * do run it.
 */
function neverRuns(within: SyntaxNode, text: string): boolean {
  const suite = above(within, ({ kind }) => kind === 'class_definition');
  const bases = childOf(suite, 'superclasses');
  const isAsync = within.children[0]?.kind === 'async';
  if (!isAsync || bases === null) return false;
  const names = plainText(bases, text);
  const isOfDjango = /^\s*from\s+django\.test\b/m.test(text) && !/\bunittest\.TestCase\b/.test(names);
  return !isOfDjango && /(?<!IsolatedAsyncio)TestCase\b/.test(names);
}

function isConditional(assertion: SyntaxNode, within: SyntaxNode, source: AssertingSource): boolean {
  if (assertion.kind === 'raise_statement') return false;
  let below = assertion;
  for (const each of ancestors(assertion, within)) {
    if (each.kind === 'if_statement' && below.field !== 'condition' && !assertsInAllBranches(each, source)) return true;
    if (each.kind === 'except_clause' && !failsWithoutError(each, source)) return true;
    if (each.kind === 'block' && leavesBefore(each, below)) return true;
    below = each;
  }
  return false;
}

function isAssertion(node: SyntaxNode, text: string): boolean {
  if (node.kind === 'assert_statement' || node.kind === 'raise_statement') return true;
  if (!CALLS.has(node.kind)) return false;
  const chain = chainOf(node, text);
  const last = lastText(chain);
  return (
    ASSERTS.test(last) || ((last === 'raises' || last === 'warns' || last === 'deprecated_call') && chain.length <= 2)
  );
}

function ancestors(node: SyntaxNode, within: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let each = node.parent; each !== null && each !== within; each = each.parent) found.push(each);
  return found;
}

function swallows(clause: SyntaxNode, source: AssertingSource): boolean {
  const [caught] = namedChildren(clause);
  const isBare = caught === undefined || caught.kind === 'block';
  if (!isBare && !CATCHES_ASSERTIONS.test(plainText(caught, source.text))) return false;
  return assertionsIn(clause, source).length === 0;
}

function suppresses(statement: SyntaxNode, assertion: SyntaxNode, text: string): boolean {
  if (!isInside(assertion, childOf(statement, 'body'))) return false;
  const clause = statement.children.find(({ kind }) => kind === 'with_clause');
  if (clause === undefined) return false;
  return callsIn(clause).some((call) => {
    const name = chainOf(call, text).at(-1);
    const catches = argumentsOf(call).some((each) => CATCHES_ASSERTIONS.test(plainText(each, text)));
    return catches && (name === 'suppress' || name === 'raises' || name === 'assertRaises');
  });
}

function assertsInAllBranches(branch: SyntaxNode, source: AssertingSource): boolean {
  const parts = branch.children.filter(
    ({ kind, field }) => field === 'consequence' || kind === 'else_clause' || kind === 'elif_clause',
  );
  return (
    parts.some(({ kind }) => kind === 'else_clause') && parts.every((part) => assertionsIn(part, source).length > 0)
  );
}

function failsWithoutError(clause: SyntaxNode, source: AssertingSource): boolean {
  const whole = clause.parent;
  if (whole === null) return false;
  const others = whole.children.filter(({ field, kind }) => field === 'body' || kind === 'else_clause');
  return others.some((each) => assertionsIn(each, source).length > 0);
}

function leavesBefore(block: SyntaxNode, statement: SyntaxNode): boolean {
  for (const each of block.children) {
    if (each === statement) return false;
    if (each.kind === 'return_statement') return true;
    const part = each.kind === 'if_statement' ? childOf(each, 'consequence') : null;
    if (part?.children.some(({ kind }) => kind === 'return_statement') === true) return true;
  }
  return false;
}
