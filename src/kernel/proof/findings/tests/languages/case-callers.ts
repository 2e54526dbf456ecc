import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { firstText, lastText } from '../../../../../lib/text/first-last.ts';
import { above, childOf, namedChildren, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { SourceText } from '../../finding.ts';
import { argumentsOf, calleeOf, callsIn, chainOf, functionName, FUNCTIONS, lastName, literalOf } from '../../names.ts';

/** Functions by which JavaScript runners register a case. */
export const CASE_WORDS: ReadonlySet<string> = new Set(['test', 'it', 'specify', 'xit', 'xtest', 'fit']);
const RUNNER_MODULES = /^(?:node:test|test|vitest|@jest\/globals|mocha|bun:test|ava|tap|tape|uvu)$/;
const GLOBALS = new Set(['globalThis', 'global', 'window', 'self']);
/** Methods of functions that call or bind them: `test.call(null, …)`. */
const INDIRECT = new Set(['call', 'apply', 'bind']);
/** Members of `test` that do not register a case. */
const NO_CASE = new Set([
  ...[
    'describe',
    'suite',
    'before',
    'after',
    'beforeEach',
    'afterEach',
    'beforeAll',
    'afterAll',
    'mock',
    'use',
    'step',
  ],
  ...['extend', 'setTimeout', 'snapshot', 'assert', 'sanitizer'],
]);

/** The names by which a file registers its cases. */
export interface CaseCallers {
  readonly cases: ReadonlySet<string>;
  /** Names that refer to a whole runner: `all` of `import * as all from 'vitest'`. */
  readonly runners: ReadonlySet<string>;
}

/**
 * Includes names that the file defines: `import { test as check }`, `const check = test.only`, `function check(name,
 * body) { test(name, body); }`.
 */
export function caseCallers(source: SourceText): CaseCallers {
  const cases = new Set(CASE_WORDS);
  const runners = new Set<string>();
  for (const node of nodesOf(source.root))
    if (node.kind === 'import_statement') addImported(node, source, cases, runners);
  const declared = [...nodesOf(source.root)].filter(
    ({ kind }) => kind === 'variable_declarator' || kind === 'assignment_expression',
  );
  for (let size = -1; size !== cases.size + runners.size;) {
    size = cases.size + runners.size;
    for (const node of declared) addDeclared(node, source, cases, runners);
    for (const call of callsIn(source.root)) {
      const wrapper = isCaseCall(call, source.text, { cases, runners }) ? passedOn(call, source.text) : null;
      if (wrapper !== null) cases.add(wrapper);
    }
  }
  return { cases, runners };
}

export function isCaseCall(call: SyntaxNode, text: string, { cases, runners }: CaseCallers): boolean {
  const [first = '', ...rest] = ownChain(calleeOf(call), text);
  if (rest.some((name) => NO_CASE.has(name))) return false;
  if (cases.has(first)) return rest[0] !== 'bind';
  if (runners.has(first)) return rest[0] === '[]' || cases.has(firstText(rest));
  // `t.test(…)` of a context, and `Deno.test.ignore(…)`.
  return rest[0] === 'test' && (rest.length === 1 || first === 'Deno');
}

/**
 * Returns the arguments that the runner receives: without the first argument of `test.call(null, …)`. For `Deno.test({
 * name, fn })` they are the name, the whole object and the function.
 */
export function caseArguments(call: SyntaxNode, text: string): readonly SyntaxNode[] {
  const list = argumentsOf(call);
  const own = INDIRECT.has(lastName(call, text)) ? list.slice(1) : list;
  const [first] = own;
  const body = first?.kind === 'object' ? memberOf(first, 'fn', text) : null;
  return first === undefined || body === null ? own : [memberOf(first, 'name', text) ?? first, first, body];
}

/** The value of a key in an object literal, or its method of that name. */
function memberOf(object: SyntaxNode, key: string, text: string): SyntaxNode | null {
  for (const each of namedChildren(object)) {
    const name = childOf(each, 'key') ?? childOf(each, 'name');
    if (name === null || (literalOf(name, text) ?? plainText(name, text)) !== key) continue;
    return each.kind === 'pair' ? childOf(each, 'value') : each;
  }
  return null;
}

/**
 * Returns the name of a function in this file that passes its argument to the runner as the body of a case. Calls of
 * that function are the cases.
 */
export function passedOn(call: SyntaxNode, text: string): string | null {
  const body = caseArguments(call, text).at(-1);
  if (body?.kind !== 'identifier') return null;
  const name = plainText(body, text);
  for (let scope = functionAbove(call); scope !== null; scope = functionAbove(scope)) {
    const list = childOf(scope, 'parameters');
    const isParameter =
      list !== null && [...nodesOf(list)].some((each) => each.kind === 'identifier' && plainText(each, text) === name);
    if (isParameter) return nameOf(scope, text);
  }
  return null;
}

const functionAbove = (node: SyntaxNode): SyntaxNode | null => above(node, ({ kind }) => FUNCTIONS.has(kind));

function nameOf(node: SyntaxNode, text: string): string | null {
  const name = functionName(node);
  return name === null ? null : plainText(name, text);
}

function ownChain(node: SyntaxNode | null, text: string): string[] {
  const chain = chainOf(node, text);
  return GLOBALS.has(firstText(chain)) && chain.length > 1 ? chain.slice(1) : chain;
}

function addImported(node: SyntaxNode, { text }: SourceText, cases: Set<string>, runners: Set<string>): void {
  const from = childOf(node, 'source');
  const isRunner = from !== null && RUNNER_MODULES.test(literalOf(from, text) ?? '');
  for (const each of nodesOf(node)) {
    if (each.kind === 'import_specifier') {
      const name = childOf(each, 'name');
      const alias = childOf(each, 'alias') ?? name;
      const imported = name === null ? '' : (literalOf(name, text) ?? plainText(name, text));
      const isCase = CASE_WORDS.has(imported) || (isRunner && imported === 'default');
      if (alias !== null && isCase) cases.add(plainText(alias, text));
    } else if (isRunner && each.kind === 'identifier' && each.parent?.kind === 'import_clause') {
      cases.add(plainText(each, text));
      runners.add(plainText(each, text));
    } else if (isRunner && each.kind === 'identifier' && each.parent?.kind === 'namespace_import') {
      runners.add(plainText(each, text));
    }
  }
}

function addDeclared(node: SyntaxNode, { text }: SourceText, cases: Set<string>, runners: Set<string>): void {
  const name = childOf(node, 'name') ?? childOf(node, 'left');
  const value = childOf(node, 'value') ?? childOf(node, 'right');
  if (name === null || value === null) return;
  const isRunner =
    isRequiredRunner(value, text) || (value.kind === 'identifier' && runners.has(plainText(value, text)));
  if (name.kind === 'object_pattern') return addPicked(name, text, cases);
  if (name.kind !== 'identifier') return;
  if (isRunner) {
    runners.add(plainText(name, text));
    cases.add(plainText(name, text));
  }
  if (FUNCTIONS.has(value.kind) || (value.kind === 'call_expression' && !isBinding(value, text))) return;
  const chain = ownChain(value, text);
  const isCase = cases.has(firstText(chain)) || (chain.length > 1 && CASE_WORDS.has(lastText(chain)));
  if (isCase && !chain.some((each) => NO_CASE.has(each))) cases.add(plainText(name, text));
}

/** `const { test: check } = …` */
function addPicked(pattern: SyntaxNode, text: string, cases: Set<string>): void {
  for (const each of pattern.children) {
    if (each.kind !== 'pair_pattern') continue;
    const key = childOf(each, 'key');
    const value = childOf(each, 'value');
    if (key !== null && value !== null && CASE_WORDS.has(plainText(key, text))) cases.add(plainText(value, text));
  }
}

function isRequiredRunner(value: SyntaxNode, text: string): boolean {
  const call = value.kind === 'await_expression' ? (namedChildren(value)[0] ?? value) : value;
  const [from] = call.kind === 'call_expression' ? argumentsOf(call) : [];
  const isLoad = /^(?:require|import)$/.test(plainText(calleeOf(call) ?? call, text));
  return isLoad && from !== undefined && RUNNER_MODULES.test(literalOf(from, text) ?? '');
}

/** `test.bind(null)`, `test.each(table)`, `test.extend({})`: the returned function registers cases. */
function isBinding(call: SyntaxNode, text: string): boolean {
  return /^(?:bind|each|for|extend|skipIf|runIf)$/.test(lastName(call, text));
}
