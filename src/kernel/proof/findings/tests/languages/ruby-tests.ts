import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { lastText } from '../../../../../lib/text/first-last.ts';
import { above, childOf, childOrSelf, namedChildren, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { Place, SourceText } from '../../finding.ts';
import { argumentsOf, chainOf, lastName } from '../../names.ts';
import { assertingFunctions, isInside } from './asserting-functions.ts';
import { ancestors } from './compiled-tests.ts';
import type { AssertingSource, WrittenCase, WrittenTests } from './test-case.ts';

const CASES = /^(?:it|specify|example|test|should|scenario|fit|fspecify|xit|xspecify|xexample|its)$/;
const SUITES = /^(?:describe|context|feature|fdescribe|xdescribe|xcontext|example_group)$/;
const OFF = /^(x(?:it|specify|example|describe|context)|skip|pending)$/;
const ASSERTS = /^_?(?:assert|refute|flunk|fail$|raise$|must_|wont_|verify|check|ensure|expect|should)/i;
/** Calls that need a matcher after them. */
const BEGINS = /^(?:expect|_|value|is_expected|expect_any_instance_of|should_receive)$/;
const MATCHES = /^(?:to|not_to|to_not|should|should_not)$/;
/**
 * Assertions that expect an error. Most errors are not failed assertions, but an assertion that accepts any error also
 * accepts a failed one.
 */
const DEMANDS_ERROR = /^(?:assert_raises?|raise_error|must_raise)$/;
const CATCHES = /\b(?:Exception|Object|BasicObject|\w*Assertion\w*|ExpectationNotMetError|UnexpectedError)\b/;
/** Functions that give a matcher a new name, which can be misleading: `eq_42` for `not be_nil`. */
const RENAMES = /^(?:define_negated_matcher|alias_matcher)$/;
const LATER = /^(?:Thread\.new|Thread\.start|Fiber\.new|Proc\.new|proc|lambda|define_method|at_exit|Ractor\.new)$/;
const BRANCHES = new Set([
  'if',
  'unless',
  'if_modifier',
  'unless_modifier',
  'conditional',
  'while_modifier',
  'until_modifier',
]);
const LOOPS = new Set(['while', 'until']);
const BRANCH_PARTS = new Set(['when', 'in_clause', 'elsif']);

/** Reads tests of Minitest, as classes and as specs, and of RSpec. */
export function rubyTests(source: SourceText): WrittenTests {
  const { root, text } = source;
  const asserted = assertingFunctions(source, (node) => isAssertion(node, text), new Set());
  const asserting: AssertingSource = { ...source, asserted };
  const cases = [...nodesOf(root)].flatMap(
    (node) => methodCase(node, text) ?? blockCase(node, text) ?? definedCase(node, text) ?? [],
  );
  return {
    cases,
    unread: [...nodesOf(root)].flatMap((node) => madeCase(node, text)),
    assertions: (node) => assertionsIn(node, asserting),
    subjects: (assertion) => subjectsOf(assertion),
    swallowed: (assertion, within) =>
      [...ancestors(assertion, within), within].some((each) => swallows(each, assertion, asserting)),
    unawaited: (assertion, within) => ancestors(assertion, within).some((each) => isLater(each, within, text)),
    conditional: (assertion, within) => isConditional(assertion, within, asserting),
  };
}

/** `def test_adds` in a class. */
function methodCase(node: SyntaxNode, text: string): WrittenCase | null {
  const name = node.kind === 'method' ? plainText(childOrSelf(node, 'name'), text) : '';
  if (!name.startsWith('test_')) return null;
  const suite = above(node, ({ kind, named }) => kind === 'class' && named);
  const owner = childOf(suite, 'name');
  const full = [...(owner === null ? [] : [plainText(owner, text)]), name].join(' > ');
  return {
    name: full,
    line: node.line,
    body: node,
    modifier: null,
    isReportedAs: (reported) => reported.split(' > ').at(-1) === name,
  };
}

/** `it "adds" do` and `test "adds" do`. */
function blockCase(node: SyntaxNode, text: string): WrittenCase | null {
  const word = node.kind === 'call' && childOf(node, 'receiver') === null ? lastName(node, text) : '';
  const body = childOf(node, 'block');
  if (body === null || !CASES.test(word)) return null;
  const [title] = argumentsOf(node);
  const written = title === undefined ? '' : plainText(title, text).replace(/^["'](.*)["']$/s, '$1');
  const suites = suitesAbove(node, text);
  const off = OFF.exec(word)?.[1] ?? suites.find(({ off: isOff }) => isOff)?.word ?? markedOff(node, text);
  return {
    name: [...suites.map(({ title: each }) => each), written].join(' > '),
    line: node.line,
    body,
    modifier: off ?? null,
    isReportedAs: reportedAs(written, title),
  };
}

/** `define_method("test_#{name}") do` in a class. */
function definedCase(node: SyntaxNode, text: string): WrittenCase | null {
  if (node.kind !== 'call' || chainOf(node, text).join('.') !== 'define_method') return null;
  const body = childOf(node, 'block');
  const [title] = argumentsOf(node);
  const name = title?.kind === 'string' ? plainText(title, text).replace(/^["'](.*)["']$/s, '$1') : '';
  if (body === null || !name.startsWith('test_')) return null;
  const owner = above(node, ({ kind, named }) => kind === 'class' && named);
  const suite = childOf(owner, 'name');
  return {
    name: [...(suite === null ? [] : [plainText(suite, text)]), name].join(' > '),
    line: node.line,
    body,
    modifier: null,
    isReportedAs: reportedAs(name, title),
  };
}

function reportedAs(written: string, title: SyntaxNode | undefined): WrittenCase['isReportedAs'] {
  const last = (reported: string): string => lastText(reported.split(' > '));
  // Without a title, RSpec makes the name from the matcher.
  if (title?.kind !== 'string') return () => true;
  const pieces = written.split(/#\{[^}]*\}/).map((each) => unescaped(each).replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`^${pieces.join('[\\s\\S]*')}$`);
  const method = new RegExp(`^test_${pieces.map((each) => each.replace(/\s+/g, '_')).join('[\\s\\S]*')}$`);
  return (reported) => pattern.test(last(reported)) || pattern.test(reported) || method.test(last(reported));
}

function unescaped(written: string): string {
  return written.replace(/\\(["'\\])/g, '$1');
}

function suitesAbove(node: SyntaxNode, text: string): { title: string; word: string; off: boolean }[] {
  const found: { title: string; word: string; off: boolean }[] = [];
  for (let each = node.parent; each !== null; each = each.parent) {
    const word = each.kind === 'call' ? lastName(each, text) : '';
    if (!SUITES.test(word)) continue;
    const title = argumentsOf(each)[0];
    const written = title === undefined ? '' : plainText(title, text).replace(/^["'](.*)["']$/s, '$1');
    found.unshift({ title: written, word, off: OFF.test(word) || markedOff(each, text) !== undefined });
  }
  return found;
}

/** `it "adds", :skip do` and `it "adds", pending: "later" do`. */
function markedOff(call: SyntaxNode, text: string): string | undefined {
  const marks = argumentsOf(call)
    .slice(1)
    .map((each) => plainText(each, text));
  return marks.map((each) => /^:?(skip|pending)\b/.exec(each)?.[1]).find((each) => each !== undefined);
}

/** Places that cannot be examined: a case whose body is elsewhere or whose name is computed, and a renamed matcher. */
function madeCase(node: SyntaxNode, text: string): Place[] {
  if (node.kind !== 'call') return [];
  const word = lastName(node, text);
  if (RENAMES.test(word)) {
    const [name] = argumentsOf(node);
    const matcher = plainText(name, text);
    return [
      { line: node.line, words: `the condition of the matcher ${matcher}, made by ${word}, cannot be examined here` },
    ];
  }
  if (word !== 'define_method' && !/^(?:it_behaves_like|include_examples|it_should_behave_like)$/.test(word)) return [];
  const [first] = argumentsOf(node);
  const written = plainText(first, text);
  if (word === 'define_method' && (/^(?::|["'])(?!test_)/.test(written) || definedCase(node, text) !== null)) return [];
  return [{ line: node.line, words: `the cases that ${word} ${written} makes cannot be examined here` }];
}

function isAssertion(node: SyntaxNode, text: string): boolean {
  if (node.kind === 'identifier') return /^(?:flunk|raise)$/.test(plainText(node, text)) && node.field !== 'method';
  if (node.kind !== 'call') return false;
  const chain = chainOf(node, text);
  const last = lastText(chain);
  if (BEGINS.test(last)) return false;
  if (MATCHES.test(last)) return argumentsOf(node).length > 0;
  return ASSERTS.test(last) && childOf(node, 'block')?.kind !== 'do_block'
    ? !CASES.test(last)
    : ASSERTS.test(last) && DEMANDS_ERROR.test(last);
}

/** In Ruby, a call of a helper without arguments has no parentheses and is an identifier. */
function assertionsIn(node: SyntaxNode, { text, asserted }: AssertingSource): SyntaxNode[] {
  return [...nodesOf(node)].filter((each) => {
    if (isAssertion(each, text)) return true;
    if (each.kind === 'call') return asserted.has(lastName(each, text));
    const isAlone = each.kind === 'identifier' && each.field !== 'method' && each.field !== 'name';
    return isAlone && asserted.has(plainText(each, text));
  });
}

/**
 * The values in `assert_equal 42, mul(6, 7)`. In a chain, also the arguments of its first call: `expect(mul(6, 7)).to
 * eq 42`.
 */
function subjectsOf(assertion: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let each: SyntaxNode | null = childOf(assertion, 'receiver'); each !== null; each = childOf(each, 'receiver')) {
    const given = each.kind === 'call' ? argumentsOf(each) : [];
    const block = childOf(each, 'block');
    found.unshift(...given, ...(block === null ? [] : [block]), ...(each.kind === 'call' ? [] : [each]));
  }
  const own = argumentsOf(assertion).flatMap((each) =>
    each.kind === 'call' && found.length > 0 && argumentsOf(each).length > 0 ? argumentsOf(each) : [each],
  );
  const block = childOf(assertion, 'block');
  return [...found, ...own, ...(block === null ? [] : [block])];
}

function swallows(node: SyntaxNode, assertion: SyntaxNode, source: AssertingSource): boolean {
  const { text } = source;
  if (node.kind === 'rescue_modifier') return isInside(assertion, childOf(node, 'body'));
  if (node.kind === 'call') {
    const block = childOf(node, 'block');
    if (!isInside(assertion, block)) return false;
    const written = plainText(node, text).slice(0, (block?.start ?? node.end) - node.start);
    const outer = plainText(node.parent, text);
    // A `throw` inside of `catch` leaves the block before the assertion can fail.
    if (written.startsWith('catch')) return true;
    const demands = DEMANDS_ERROR.test(lastName(node, text));
    return (
      (demands && (CATCHES.test(written) || argumentsOf(node).length === 0)) ||
      (/^expect\b[\s\S]*\braise_error\b/.test(outer) && isInside(assertion, node))
    );
  }
  const body = node.kind === 'method' || node.kind === 'do_block' ? childOf(node, 'body') : node;
  if (body === null || !/^(?:begin|body_statement)$/.test(body.kind)) return false;
  return body.children.some((each) => {
    if (isInside(assertion, each)) return false;
    if (each.kind === 'ensure' && each.named)
      return [...nodesOf(each)].some(({ kind, named }) => kind === 'return' && named);
    return each.kind === 'rescue' && each.named && assertionsIn(each, source).length === 0;
  });
}

function isLater(node: SyntaxNode, within: SyntaxNode, text: string): boolean {
  const isBlock = node.kind === 'call' && childOf(node, 'block') !== null;
  const starts = node.kind === 'lambda' || (isBlock && LATER.test(chainOf(node, text).join('.')));
  return starts && !/\.(?:call|join|value|resume|take)\b|\.\(/.test(plainText(within, text));
}

function isConditional(assertion: SyntaxNode, within: SyntaxNode, source: AssertingSource): boolean {
  let below = assertion;
  for (const each of [...ancestors(assertion, within), within]) {
    if (each.named && BRANCHES.has(each.kind) && below.field !== 'condition' && !assertsInAllBranches(each, source))
      return true;
    if (
      each.named &&
      (LOOPS.has(each.kind) || (BRANCH_PARTS.has(each.kind) && !assertsInAllBranches(each.parent ?? each, source)))
    )
      return true;
    if (each.kind === 'rescue' && each.named) return true;
    if (isEmptyLoop(each, below, source.text)) return true;
    if (leavesBefore(each, below, source.text)) return true;
    below = each;
  }
  return false;
}

/** `[].each do` and `0.times do`. */
function isEmptyLoop(node: SyntaxNode, below: SyntaxNode, text: string): boolean {
  if (node.kind !== 'call' || below.field !== 'block') return false;
  const receiver = childOf(node, 'receiver');
  return /^(?:\[\]|\{\}|0|nil|nil\.to_a)$/.test(plainText(receiver, text));
}

function assertsInAllBranches(branch: SyntaxNode, source: AssertingSource): boolean {
  const parts = branch.children.filter(({ kind, named }) => named && /^(?:then|else|elsif|when|in_clause)$/.test(kind));
  return parts.some(({ kind }) => kind === 'else') && parts.every((part) => assertionsIn(part, source).length > 0);
}

/** Whether `return`, `next`, `skip` or `throw` comes before a statement, alone or with a condition. */
function leavesBefore(block: SyntaxNode, statement: SyntaxNode, text: string): boolean {
  for (const each of block.children) {
    if (each.start >= statement.start) return false;
    if (!each.named) continue;
    const own = /^(?:if|unless)_modifier$/.test(each.kind) ? childOrSelf(each, 'body') : each;
    const part = /^(?:if|unless)$/.test(own.kind)
      ? (namedChildren(childOrSelf(own, 'consequence')).at(-1) ?? own)
      : own;
    if (/^(?:return|next|break|skip|pending|throw)\b/.test(plainText(part, text))) return true;
  }
  return false;
}
