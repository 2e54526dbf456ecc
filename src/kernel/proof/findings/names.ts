import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';
import type { MaybeNode } from '../syntax/walk.ts';
import { firstText, lastText } from '../../../lib/text/first-last.ts';
import { childOf, namedChildren, nodesOf, operatorOf, plainText } from '../syntax/walk.ts';
import { PHP_CALLS } from './php-calls.ts';

const METHOD_CALL = 'method_invocation';
/** Calls in all languages, including `new` and macros of Rust. `chainOf` returns the names of the called function. */
export const CALLS: ReadonlySet<string> = new Set([
  ...['call_expression', 'new_expression', 'call', METHOD_CALL, 'object_creation_expression', 'macro_invocation'],
  ...PHP_CALLS,
]);
export const FUNCTIONS: ReadonlySet<string> = new Set([
  ...['function_declaration', 'function_expression', 'arrow_function', 'method_definition', 'generator_function'],
  ...['generator_function_declaration', 'function_definition', 'lambda'],
  ...['method_declaration', 'func_literal', 'function_item', 'closure_expression', 'lambda_expression'],
  ...['method', 'singleton_method', 'anonymous_function'],
]);
export const SUBSCRIPTS: ReadonlySet<string> = new Set([
  ...['subscript', 'subscript_expression', 'element_reference', 'index_expression', 'array_access'],
]);
const MEMBERS = new Set([
  ...['member_expression', 'attribute', 'non_null_expression', ...SUBSCRIPTS],
  ...['selector_expression', 'field_expression', 'scoped_identifier', 'qualified_identifier', 'field_access'],
]);

/** Nodes with children that are one name: the keyword of `import(…)`, a variable of PHP. */
const WHOLE = new Set(['import', 'variable_name']);

/**
 * Returns the names in a chain of members and calls, without arguments: `expect(a).not.toBe` gives `expect`, `not`,
 * `toBe`.
 */
export function chainOf(node: MaybeNode, text: string): string[] {
  if (node === null || node === undefined) return [];
  if (isOnObject(node)) {
    const object = childOf(node, 'object') ?? childOf(node, 'scope');
    return [...chainOf(object, text), ...nameOf(node, text)];
  }
  if (CALLS.has(node.kind)) return chainOf(calleeOf(node), text);
  if (node.kind === 'await_expression' || node.kind === 'parenthesized_expression' || node.kind === 'await') {
    return chainOf(namedChildren(node)[0] ?? null, text);
  }
  if (MEMBERS.has(node.kind)) {
    const object = childOf(node, 'object') ?? childOf(node, 'value') ?? node.children[0] ?? null;
    const property =
      ['property', 'attribute', 'field', 'name'].map((each) => childOf(node, each)).find((each) => each !== null) ??
      null;
    return [...chainOf(object, text), ...(property === null ? ['[]'] : [plainText(property, text)])];
  }
  // In Ruby, the receiver of a call is a sibling of the method name.
  if (node.field === 'method') return [...chainOf(receiverOf(node), text), plainText(node, text)];
  if (node.kind === 'qualified_name') return [plainText(node, text).replace(/^\\/, '')];
  return node.children.length === 0 || WHOLE.has(node.kind) ? [plainText(node, text)] : [''];
}

/** The first name in the chain: `expect` of `expect(a).not.toBe`. */
export function firstName(node: MaybeNode, text: string): string {
  return firstText(chainOf(node, text));
}

/** The last name in the chain: `toBe` of `expect(a).not.toBe`. */
export function lastName(node: MaybeNode, text: string): string {
  return lastText(chainOf(node, text));
}

/**
 * Returns only the method names of a call in Java: `Assertions.assertThat(a).isEqualTo(b)` gives `assertThat`,
 * `isEqualTo`.
 */
export function methodsOf(call: SyntaxNode, text: string): string[] {
  const object = childOf(call, 'object');
  return [...(object?.kind === METHOD_CALL ? methodsOf(object, text) : []), ...nameOf(call, text)];
}

/** Whether the node of a call contains its object and its name as separate fields. */
function isOnObject({ kind }: SyntaxNode): boolean {
  return kind === METHOD_CALL || (PHP_CALLS.has(kind) && kind !== 'function_call_expression');
}

function nameOf(call: SyntaxNode, text: string): string[] {
  const name = childOf(call, 'name');
  return name === null ? [] : [plainText(name, text)];
}

export function calleeOf(call: MaybeNode): SyntaxNode | null {
  for (const field of ['function', 'constructor', 'method', 'macro', 'type']) {
    const callee = childOf(call, field);
    if (callee !== null) return callee;
  }
  return call?.kind === 'object_creation_expression' ? (namedChildren(call)[0] ?? null) : null;
}

function receiverOf({ parent }: SyntaxNode): SyntaxNode | null {
  return childOf(parent, 'receiver');
}

/** Nodes that assign a function to a name: an entry of an object, a field of a class. */
const HOLDERS = new Set(['pair', 'field_definition', 'public_field_definition']);

/**
 * Returns the name of a function: its own name, or the name of the variable, member (`exports.mul`), entry or field
 * that it is assigned to.
 */
export function functionName(node: SyntaxNode): SyntaxNode | null {
  const own = childOf(node, 'name') ?? declaredName(node);
  const { parent } = node;
  if (own !== null || parent === null) return own;
  if (parent.kind === 'variable_declarator') return childOf(parent, 'name');
  if (node.field === 'value' && HOLDERS.has(parent.kind))
    return ['name', 'property', 'key'].map((each) => childOf(parent, each)).find((each) => each !== null) ?? null;
  const left = parent.kind === 'assignment_expression' ? childOf(parent, 'left') : null;
  return left?.kind === 'member_expression' ? childOf(left, 'property') : null;
}

/** In C and C++, the name is inside the declarator: `size` in `int *Cart::size(void)`. */
function declaredName(node: SyntaxNode): SyntaxNode | null {
  let each = childOf(node, 'declarator');
  while (each !== null && childOf(each, 'declarator') !== null) each = childOf(each, 'declarator');
  while (each?.kind === 'qualified_identifier') each = childOf(each, 'name');
  return each !== null && /identifier$|_name$/.test(each.kind) ? each : null;
}

/** Returns the node between the brackets of a subscript. */
export function indexOf(subscript: SyntaxNode): SyntaxNode | null {
  const index = childOf(subscript, 'index') ?? childOf(subscript, 'subscript');
  return index ?? (subscript.kind === 'element_reference' ? (namedChildren(subscript)[1] ?? null) : null);
}

export function argumentsOf(call: MaybeNode): SyntaxNode[] {
  return namedChildren(childOf(call, 'arguments'));
}

export function callsIn(node: SyntaxNode): SyntaxNode[] {
  return [...nodesOf(node)].filter((each) => CALLS.has(each.kind));
}

export function identifiersIn(node: SyntaxNode, text: string): Set<string> {
  const found = new Set<string>();
  for (const each of nodesOf(node)) {
    // `{ name }` uses the variable `name`.
    if (each.kind !== 'identifier' && each.kind !== 'shorthand_property_identifier') continue;
    const isMember =
      each.field === 'attribute' ||
      each.field === 'method' ||
      (each.field === 'name' && each.parent?.kind === 'keyword_argument');
    if (!isMember) found.add(plainText(each, text));
  }
  return found;
}

const PLAIN_STRINGS = new Set([
  ...['string', 'template_string', 'string_literal', 'interpreted_string_literal', 'raw_string_literal'],
  'encapsed_string',
]);
const NUMBERS = new Set([
  ...['number', 'integer', 'float', 'int_literal', 'integer_literal', 'float_literal'],
  ...['decimal_integer_literal', 'decimal_floating_point_literal', 'number_literal'],
]);

/**
 * Returns the value of a literal in a form that can be compared: a text without quotes, or a number in normal notation
 * (`0x2a`, `4_2` and `42.0` give `42`). null for any other node.
 */
export function literalOf(node: MaybeNode, text: string): string | null {
  if (node === null || node === undefined) return null;
  if (PLAIN_STRINGS.has(node.kind)) {
    const inner = /^[a-zA-Z]*("""|'''|["'`])([\s\S]*)\1$/.exec(plainText(node, text));
    if (node.kind === 'encapsed_string' && node.children.some(({ kind }) => /variable|expression|^\{$/.test(kind)))
      return null;
    if (node.children.some(({ kind, children }) => kind === 'interpolation' && children[0]?.kind === '#{')) return null;
    return inner === null || /\$\{/.test(inner[2] ?? '') ? null : (inner[2] ?? null);
  }
  // An entry of a composite literal in Go.
  if (node.kind === 'literal_element') return node.children[0] ? literalOf(node.children[0], text) : null;
  return NUMBERS.has(node.kind) ? numberOf(plainText(node, text)) : null;
}

/** The number without a type suffix, which Rust, Java and BigInt have. */
function numberOf(written: string): string {
  const plain = written.replaceAll('_', '').toLowerCase();
  const bare = plain.startsWith('0x')
    ? plain.replace(/[iu]\d+$|[ln]$/, '')
    : plain.replace(/(?:[iuf](?:\d+|size)|[lndf])$/, '');
  const value = bare === '' ? NaN : Number(bare);
  return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value)) ? String(value) : written;
}

/**
 * Returns the value of an expression that contains only literals: `40 + 2` and `'4' + '2'` give `42`. null for any
 * other expression.
 */
export function constantOf(node: SyntaxNode, text: string): string | null {
  if (node.kind === 'parenthesized_expression') return constantOf(namedChildren(node)[0] ?? node, text);
  if (!/^binary_(?:expression|operator)$/.test(node.kind)) return literalOf(node, text);
  const operator = operatorOf(node);
  const [left, right] = namedChildren(node).map((side) => ({ kind: side.kind, value: constantOf(side, text) }));
  if (operator === null || left === undefined || right === undefined) return null;
  if (left.value === null || right.value === null) return null;
  const [a, b] = [Number(left.value), Number(right.value)];
  switch (plainText(operator, text)) {
    case '+':
      return /string/.test(left.kind + right.kind) ? left.value + right.value : String(a + b);
    case '-':
      return String(a - b);
    case '*':
      return String(a * b);
    default:
      return null;
  }
}

export function literalsIn(node: SyntaxNode, text: string): Set<string> {
  const found = new Set<string>();
  for (const each of nodesOf(node)) {
    const value = literalOf(each, text);
    if (value !== null) found.add(value);
  }
  return found;
}
