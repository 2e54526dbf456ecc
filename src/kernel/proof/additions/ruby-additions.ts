import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { firstText } from '../../../lib/text/first-last.ts';
import type { SourceText } from '../findings/finding.ts';
import { argumentsOf, chainOf } from '../findings/names.ts';
import { above, childOf, childOrSelf, kindOf, namedChildren, nodesOf, plainText, textOf } from '../syntax/walk.ts';
import { isRunnerMethod, hasOuterEffect, runs } from './ruby-effects.ts';
import { requiredConstant } from './ruby-requires.ts';

const CASES = /^x?(?:it|specify|example|test|should|scenario)$/;
const SUITES = /^x?(?:describe|context|feature|example_group)$/;
const FOCUS = /\b(?:focus|only)\b/;
const HOOKS = /^(?:(?:prepend_|append_)?(?:before|after)|around|setup|teardown)$/;
/** Hooks around each case. They may be new in tests whose proof is made again. */
const EACH_CASE = /^(?:before|after|setup|teardown)$/;
const LETS = /^(?:let|given)$/;
const EACH_LETS = /^(?:let!|given!)$/;
/** Methods that a new suite may call in its own body. */
const OF_OWN_SUITE =
  /^(?:let!?|given!?|subject!?|its|it_behaves_like|it_should_behave_like|include_examples|include_context|include|attr_(?:reader|writer|accessor)|private|parallelize_me!)$/;
const TEST_CLASS = /(?:^|::|[a-z])(?:Test|TestCase|Spec)$/;
/** Methods through which cases use names that are not written in the file. */
const INDIRECT =
  /^(?:it_behaves_like|it_should_behave_like|include_examples|include_context|super|send|__send__|public_send|method|method_missing)$/;
const LOOPS = /^(?:each|each_with_index|each_pair|times)$/;

/** Two versions of a Ruby file. With `hooks`, new hooks that run around each case are allowed. */
export interface RubySides {
  readonly before: SourceText;
  readonly after: SourceText;
  readonly hooks: boolean;
}

/** Whether a statement is one of Ruby. In Ruby, a call is a statement by itself. */
export function isRubyStatement({ kind, named, children }: SyntaxNode): boolean {
  if (kind === 'call') return children.some(({ field }) => field === 'method');
  return named && (kind === 'class' || kind === 'module' || kind === 'method' || kind === 'assignment');
}

/** Constants, symbols, and the method names that runners make of case titles. */
export function rubyNames({ root, text }: SourceText): string[] {
  if (!namedChildren(root).some(isRubyStatement)) return [];
  return [...nodesOf(root)].flatMap((node) => {
    if (node.kind === 'constant' || node.kind === 'hash_key_symbol') return [textOf(node, text)];
    if (node.kind === 'simple_symbol') return [textOf(node, text).slice(1)];
    return node.kind === 'string_content' ? [methodOf(textOf(node, text))] : [];
  });
}

function methodOf(title: string): string {
  return `test_${title.replace(/\s+/g, '_')}`;
}

/** The body of a suite of cases: a class of tests, a module around them, or the block of `describe`. */
export function rubyBlockOf(node: SyntaxNode, text: string): SyntaxNode | null {
  const isHolder = node.kind === 'module' || (node.kind === 'class' && superclassOf(node, text) !== null);
  const holder = isSuite(node, text) ? childOf(node, 'block') : isHolder ? node : null;
  const body = childOf(holder, 'body');
  return /^(?:body_statement|block_body)$/.test(kindOf(body)) ? body : null;
}

/**
 * Returns the names that a new statement declares, if it can affect old cases only by these names. null if it can have
 * another effect.
 */
export function namesOfRubyAddition(node: SyntaxNode, sides: RubySides): readonly string[] | null {
  const { text } = sides.after;
  const place = placeOf(node, text);
  if (node.kind === 'class') return namesOfClass(node, sides, place);
  if (isSuite(node, text)) return isOwnSuite(node, text) ? [] : null;
  if (place === 'module') return null;
  if (node.kind === 'method') return place === 'file' ? null : namesOfMethod(node, sides);
  if (node.kind === 'assignment') return place === 'class' && isData(node, text) ? [leftOf(node, text)] : null;
  if (node.kind !== 'call') return null;
  if (place === 'file') return requiredConstant(node, sides.after);
  const word = wordOf(node, text);
  if (hasOuterEffect(node, text)) return null;
  if (CASES.test(word)) return isFocused(node, text) || runsEarly(node, text) ? null : titleOf(node, text);
  if (LETS.test(word) || (EACH_LETS.test(word) && sides.hooks)) return namesOfLet(node, sides);
  if (EACH_CASE.test(word) && sides.hooks) return isForEach(node, text) ? [] : null;
  return namesOfLoop(node, sides);
}

function placeOf(node: SyntaxNode, text: string): 'file' | 'module' | 'class' | 'block' {
  const holder = above(
    node,
    (each) => (each.named && (each.kind === 'class' || each.kind === 'module')) || isSuite(each, text),
  );
  if (holder === null) return 'file';
  return holder.kind === 'class' || holder.kind === 'module' ? holder.kind : 'block';
}

/** The name of a method that is called without a receiver, or on RSpec. */
function wordOf(node: SyntaxNode, text: string): string {
  if (node.kind === 'identifier') return textOf(node, text);
  if (node.kind !== 'call') return '';
  const [first = '', ...more] = chainOf(node, text);
  const name = first === 'RSpec' ? firstText(more) : first;
  return more.length === (first === 'RSpec' ? 1 : 0) ? name : '';
}

function isSuite(node: SyntaxNode, text: string): boolean {
  return node.kind === 'call' && childOf(node, 'block') !== null && SUITES.test(wordOf(node, text));
}

function isFocused(call: SyntaxNode, text: string): boolean {
  return argumentsOf(call).some((each) => each.kind !== 'string' && FOCUS.test(plainText(each, text)));
}

function titleOf(call: SyntaxNode, text: string): readonly string[] {
  const [title] = argumentsOf(call);
  return title?.kind === 'string' ? [methodOf(textOf(title, text).slice(1, -1))] : [];
}

/**
 * The superclass of a test class, as written. null for any other class: it may be a class of the project that is
 * reopened here.
 */
function superclassOf(node: SyntaxNode, text: string): string | null {
  const written = childOf(node, 'superclass');
  const name = written === null ? '' : plainText(namedChildren(written)[0] ?? written, text);
  return TEST_CLASS.test(name) ? name : null;
}

/**
 * The name of a new test class, or of a plain class inside a test class; null if it can affect old cases. A test class
 * must have a superclass that an old test class has, so that it is not a parent of old classes.
 */
function namesOfClass(node: SyntaxNode, { before, after }: RubySides, place: string): readonly string[] | null {
  const name = childOf(node, 'name');
  if (name?.kind !== 'constant') return null;
  const body = childOf(node, 'body');
  const own = superclassOf(node, after.text);
  if (own === null) {
    const isPlain = place === 'class' && !namedChildren(node).some((each) => each !== body && runs(each));
    return isPlain && (body === null || isPlainClass(body, after.text)) ? [textOf(name, after.text)] : null;
  }
  const known = [...nodesOf(before.root)].some(
    (each) => each.kind === 'class' && each.named && superclassOf(each, before.text) === own,
  );
  const isOwn = body === null || namedChildren(body).every((each) => isOfOwnSuite(each, after.text));
  return known && isOwn && place !== 'block' ? [textOf(name, after.text)] : null;
}

/** Whether the body contains only methods and attributes. */
function isPlainClass(body: SyntaxNode, text: string): boolean {
  return namedChildren(body).every((each) => {
    const isAttribute = /^attr_(?:reader|writer|accessor)$/.test(wordOf(each, text));
    return (each.kind === 'method' || isAttribute) && !hasOuterEffect(each, text);
  });
}

function namesOfMethod(node: SyntaxNode, { before, after, hooks }: RubySides): readonly string[] | null {
  const written = childOf(node, 'name');
  const name = textOf(written, after.text);
  if (hasOuterEffect(node, after.text)) return null;
  if (hooks && /^(?:setup|teardown)$/.test(name)) return [name];
  if (/^test_(?!\d{4}_)/.test(name)) return [name];
  return name === '' || isRunnerMethod(name) || asksIndirectly(before) ? null : [name];
}

function namesOfLet(node: SyntaxNode, { before, after }: RubySides): readonly string[] | null {
  const [symbol] = argumentsOf(node);
  if (symbol?.kind !== 'simple_symbol' || childOf(node, 'block') === null || asksIndirectly(before)) return null;
  const name = textOf(symbol, after.text).slice(1);
  return isRunnerMethod(name) ? null : [name];
}

/** The names of cases that a loop makes of a table; null if it can affect old cases. */
function namesOfLoop(node: SyntaxNode, sides: RubySides): readonly string[] | null {
  const statements = loopedOf(node, sides.after.text);
  if (statements === null) return null;
  const names = statements.map((each) => (isRubyStatement(each) ? namesOfRubyAddition(each, sides) : null));
  return names.every((each) => each !== null) ? names.flat() : null;
}

function loopedOf(node: SyntaxNode, text: string): SyntaxNode[] | null {
  const receiver = childOf(node, 'receiver');
  const method = childOf(node, 'method');
  const block = childOf(node, 'block');
  if (receiver === null || method === null || block === null || runs(receiver)) return null;
  if (!/^(?:array|hash|integer|constant)$/.test(receiver.kind) || !LOOPS.test(textOf(method, text))) return null;
  return namedChildren(childOrSelf(block, 'body'));
}

/** Whether a hook runs for each case: it has no arguments, or `:each` or `:example`. */
function isForEach(call: SyntaxNode, text: string): boolean {
  return (
    childOf(call, 'block') !== null && argumentsOf(call).every((each) => /^:(?:each|example)$/.test(textOf(each, text)))
  );
}

/** Whether a new suite affects only its own cases. Its hooks and helpers do; `focus` in it affects all cases. */
function isOwnSuite(call: SyntaxNode, text: string): boolean {
  const block = childOf(call, 'block');
  const body = childOf(block, 'body');
  return (
    !hasOuterEffect(call, text) &&
    !isFocused(call, text) &&
    !runsEarly(call, text) &&
    (body === null || namedChildren(body).every((each) => isOfOwnSuite(each, text)))
  );
}

/**
 * Whether the arguments of a case, suite or hook make a call while the file loads: a title can contain a hook. A bare
 * name is a call too, unless a loop around the case binds it.
 */
function runsEarly(call: SyntaxNode, text: string): boolean {
  const bound = boundByLoops(call, text);
  return argumentsOf(call).some((each) =>
    [...nodesOf(each)].some(
      (node) =>
        /^(?:call|subshell|yield)$/.test(node.kind) || (node.kind === 'identifier' && !bound.has(textOf(node, text))),
    ),
  );
}

function boundByLoops(node: SyntaxNode, text: string): ReadonlySet<string> {
  const bound = new Set<string>();
  for (let each = node.parent; each !== null; each = each.parent) {
    const parameters = /^(?:do_)?block$/.test(each.kind) ? childOf(each, 'parameters') : null;
    for (const name of parameters === null ? [] : nodesOf(parameters))
      if (name.kind === 'identifier') bound.add(textOf(name, text));
  }
  return bound;
}

function isOfOwnSuite(node: SyntaxNode, text: string): boolean {
  if (hasOuterEffect(node, text)) return false;
  if (node.kind === 'method') return true;
  if (node.kind === 'assignment') return placeOf(node, text) === 'class' && isData(node, text);
  const word = wordOf(node, text);
  if (isSuite(node, text)) return isOwnSuite(node, text);
  if (CASES.test(word)) return !isFocused(node, text) && !runsEarly(node, text);
  if (HOOKS.test(word) || OF_OWN_SUITE.test(word)) return !runsEarly(node, text);
  return loopedOf(node, text)?.every((each) => isOfOwnSuite(each, text)) ?? false;
}

function asksIndirectly({ root, text }: SourceText): boolean {
  return [...nodesOf(root)].some(
    (each) => (each.kind === 'identifier' || each.kind === 'super') && INDIRECT.test(textOf(each, text)),
  );
}

/** Whether a constant is assigned a literal value. */
function isData(assignment: SyntaxNode, text: string): boolean {
  const left = childOf(assignment, 'left');
  const right = childOf(assignment, 'right');
  const isFrozen = right?.kind === 'call' && textOf(childOrSelf(right, 'method'), text) === 'freeze';
  const value = isFrozen ? childOf(right, 'receiver') : right;
  return left?.kind === 'constant' && value !== null && !runs(value);
}

function leftOf(assignment: SyntaxNode, text: string): string {
  const left = childOf(assignment, 'left');
  return textOf(left, text);
}
