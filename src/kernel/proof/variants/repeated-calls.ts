import type { SyntaxLanguage, SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { firstText } from '../../../lib/text/first-last.ts';
import { calleeOf, firstName, FUNCTIONS, identifiersIn, lastName } from '../findings/names.ts';
import type { WrittenTests } from '../findings/tests/languages/test-case.ts';
import type { Edit } from '../mutation/mutator.ts';
import { childOf, kindOf, namedChildren, nodesOf, textOf } from '../syntax/walk.ts';
import { testedNames } from './tested-names.ts';

interface CaseSource {
  readonly language: SyntaxLanguage;
  readonly text: string;
  /** Paths of the sources that are tested. */
  readonly sources: readonly string[];
}

const CALLS = new Set(['call_expression', 'call']);
const LOOPS = new Set(['for_in_statement', 'for_statement', 'range_clause', 'for_expression']);
const CALLBACK_OF_LOOP = /\.(?:forEach|map|each)$/;
const BLOCKS = new Set(['block', 'statement_list']);
/** Words in Rust arguments that are not names of variables: constants, and the types of numbers. */
const RUST_CONSTANTS = /^(?:true|false|None|Some|Ok|Err|vec|[iu](?:8|16|32|64|128|size)|f32|f64)$/;

/** Assertions about the number of calls. */
const COUNTS_CALLS =
  /assert_(?:called|awaited|not_called|has_calls|any_call)|\bcall_(?:count|args)|toHaveBeen|toHaveReturned|\.mock\.|\bcalled(?:Once|Twice|Thrice|With)|\bcallCount\b/;
const SCALARS = /^(?:number|string|integer|float|true|false|int_literal|interpreted_string_literal)$/;

/**
 * Pure: returns the edits that repeat each call of the tested code in a case and use the second result. Only calls are
 * repeated whose arguments are constants or values of a loop over a table. Such a call must return the same result each
 * time, so a source that counts its calls is noticed. Calls on an object that the case created are not repeated: their
 * second result may differ. Returns no edits if the case counts calls, or makes the same call twice: then its results
 * depend on earlier calls.
 */
export function repeatedCalls(
  body: SyntaxNode,
  tests: Pick<WrittenTests, 'assertions' | 'subjects'>,
  source: CaseSource,
): Edit[] {
  const { language, text } = source;
  if (COUNTS_CALLS.test(textOf(body, text))) return [];
  const tested = testedNames(source);
  const given = new Set([...tested, ...valuesOfLoops(body, source), ...constantsOf(body, text)]);
  const edits: Edit[] = [];
  const questions = new Set<string>();
  let end = -1;
  for (const node of language === 'rust' ? macroSubjects(body, tests) : nodesOf(body)) {
    const isQuestion = language === 'rust' ? isRustQuestion(textOf(node, text), tested, given) : asks(node);
    const edit = !isQuestion || node.start < end ? null : twice(node, language, text);
    if (edit === null) continue;
    const question = textOf(node, text);
    if (questions.has(question)) return [];
    questions.add(question);
    edits.push(edit);
    end = Math.max(node.end, edit.end);
  }
  return edits;

  function asks(node: SyntaxNode): boolean {
    const callee = CALLS.has(node.kind) ? calleeOf(node) : null;
    if (callee === null || /(?:statement|item|declaration)$/.test(kindOf(node.parent))) return false;
    if (language === 'ruby' && isInCallback(node, body, text)) return false;
    const root = language === 'ruby' ? firstName(callee, text) : (/^\w+/.exec(textOf(callee, text))?.[0] ?? '');
    const isPlain = [...nodesOf(node)].every(
      ({ kind }) =>
        !FUNCTIONS.has(kind) &&
        kind !== 'shorthand_property_identifier' &&
        !/^(?:do_block|block|block_argument)$/.test(kind),
    );
    return tested.has(root) && isPlain && [...identifiersIn(node, text)].every((name) => given.has(name));
  }
}

/**
 * Whether a call is in a Ruby block that is not a loop over rows. The number of calls may be what such a case tests.
 */
function isInCallback(node: SyntaxNode, body: SyntaxNode, text: string): boolean {
  for (let each = node; each !== body && each.parent !== null; each = each.parent) {
    const call = /^(?:do_block|block)$/.test(each.kind) ? each.parent : null;
    const name = lastName(call, text);
    if (call !== null && !/^(?:each\w*|times|map|all\?|zip|upto)$/.test(name)) return true;
  }
  return false;
}

function twice(call: SyntaxNode, language: SyntaxLanguage, text: string): Edit | null {
  const isAwaited = /^await/.test(kindOf(call.parent));
  const node = isAwaited ? (call.parent ?? call) : call;
  const written = textOf(node, text);
  switch (language) {
    case 'python':
      return { start: node.start, end: node.end, replacement: `(${written}, ${written})[1]` };
    case 'go':
    case 'rust': {
      const place = statementOf(call);
      const once = language === 'go' ? `func(...any) {}(${written}); ` : `let _ = ${written}; `;
      return place === null ? null : { start: place, end: place, replacement: once };
    }
    case 'ruby':
      return { start: node.start, end: node.end, replacement: `[${written}, ${written}].last` };
    case 'java':
    case 'php':
    case 'cpp':
      return null;
    case 'javascript':
    case 'typescript':
    case 'tsx': {
      // A rejection of the first promise must not end the run.
      const first = isAwaited ? written : `Promise.resolve(${written}).catch(() => {})`;
      return { start: node.start, end: node.end, replacement: `(${first}, ${written})` };
    }
  }
}

/**
 * The start of the statement that contains a call. null inside a function that is an expression: other code calls it.
 */
function statementOf(call: SyntaxNode): number | null {
  for (let each = call; each.parent !== null; each = each.parent) {
    if (BLOCKS.has(each.parent.kind)) return each.start;
    if (FUNCTIONS.has(each.kind)) return null;
  }
  return null;
}

/**
 * Names in the case that are bound once to a number or text: `const a = 6`, `a, b = 6, 7`. A name that is assigned
 * again is excluded.
 */
function constantsOf(body: SyntaxNode, text: string): Set<string> {
  const found = new Map<string, boolean>();
  for (const node of nodesOf(body)) {
    const name = childOf(node, 'name') ?? childOf(node, 'left');
    const value = childOf(node, 'value') ?? childOf(node, 'right');
    if (name === null || FUNCTIONS.has(node.kind)) continue;
    const names = name.kind === 'identifier' ? [name] : name.children.filter(({ kind }) => kind === 'identifier');
    const values = value === null ? [] : SCALARS.test(value.kind) ? [value] : namedChildren(value);
    const isConstant = values.length === names.length && values.every(({ kind }) => SCALARS.test(kind));
    for (const each of names) found.set(textOf(each, text), isConstant && !found.has(textOf(each, text)));
  }
  return new Set([...found].flatMap(([name, isConstant]) => (isConstant ? [name] : [])));
}

/** Names bound to the rows of a table, or to parts of a row. */
function valuesOfLoops(body: SyntaxNode, { language, text }: CaseSource): Set<string> {
  const found = new Set<string>();
  const add = (node: SyntaxNode | null): void => {
    if (node === null) return;
    for (const each of nodesOf(node)) if (/identifier/.test(each.kind)) found.add(textOf(each, text));
  };
  for (const node of nodesOf(body)) {
    if (LOOPS.has(node.kind)) add(childOf(node, 'left') ?? childOf(node, 'pattern'));
    if (FUNCTIONS.has(node.kind) && isCalledForRows(node, text))
      add(childOf(node, 'parameters') ?? childOf(node, 'parameter'));
  }
  if (language === 'python' && body.parent?.kind === 'decorated_definition') {
    const decorators = text.slice(body.parent.start, body.start);
    for (const [, names = ''] of decorators.matchAll(/parametrize\(\s*["']([\w\s,]+)["']/g))
      for (const name of names.split(',')) found.add(name.trim());
  }
  return found;
}

/** Whether a callback runs for each row: `rows.forEach((row) => …)` and `it.each(rows)('name', (row) => …)`. */
function isCalledForRows(callback: SyntaxNode, text: string): boolean {
  const call = callback.parent?.kind === 'arguments' ? callback.parent.parent : null;
  const callee = calleeOf(call);
  if (callee === null) return false;
  const table = CALLS.has(callee.kind) ? calleeOf(callee) : callee;
  return CALLBACK_OF_LOOP.test(textOf(table ?? callee, text));
}

/**
 * The compared texts of assertions. A macro of Rust contains tokens and no calls, so they are read as text. Each has
 * its assertion as parent.
 */
function* macroSubjects(body: SyntaxNode, tests: Pick<WrittenTests, 'assertions' | 'subjects'>): Generator<SyntaxNode> {
  for (const assertion of tests.assertions(body))
    for (const subject of tests.subjects(assertion)) yield { ...subject, parent: assertion };
}

function isRustQuestion(written: string, tested: ReadonlySet<string>, given: ReadonlySet<string>): boolean {
  const [, callee = '', args = ''] = /^((?:\w+::)*\w+)\(([^()]*)\)$/s.exec(written) ?? [];
  const names = args.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)'/g, '').match(/[A-Za-z_]\w*/g) ?? [];
  const root = firstText(callee.split('::'));
  return callee !== '' && tested.has(root) && names.every((name) => given.has(name) || RUST_CONSTANTS.test(name));
}
