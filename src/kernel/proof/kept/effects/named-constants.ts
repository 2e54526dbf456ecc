import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import type { SourceText } from '../../findings/finding.ts';
import { constantOf, literalOf } from '../../findings/names.ts';
import { childOf, kindOf, namedChildren, nodesOf, operatorOf, plainText } from '../../syntax/walk.ts';

/** A value with a name: an argument, a property, a field or a variable. */
export interface NamedValue {
  readonly node: SyntaxNode;
  readonly name: string;
  readonly value: SyntaxNode;
  /** `given` is an argument or property; `own` is a field of the object that contains the code. */
  readonly role: 'given' | 'own' | 'variable';
}

const ENTRIES =
  /^(?:pair|keyword_argument|keyed_element|array_element_initializer|field_initializer|initializer_pair)$/;
const FIELDS = /^(?:public_)?field_definition$/;
const VARIABLES =
  /^(?:variable_declarator|default_parameter|typed_default_parameter|assignment_pattern|var_spec|const_spec|const_item|static_item|let_declaration|required_parameter|optional_parameter)$/;
const ASSIGNMENTS = /^(?:assignment|assignment_expression|assignment_statement|short_var_declaration)$/;
const MEMBERS = /member|attribute|selector|field_(?:access|expression)|^call$/;
const SUBSCRIPTS = /^(?:subscript|subscript_expression|element_reference|index_expression)$/;
const NAME = /[\p{ID_Continue}$-]+(?=[^\p{ID_Continue}$]*$)/u;
const CONSTANTS = /^(?:true|false|null|nullptr|none|nil|undefined|nan|infinity)$/i;

export function* namedValues({ root, text }: SourceText): Generator<NamedValue> {
  for (const node of nodesOf(root)) {
    if (node.kind === 'shorthand_property_identifier') {
      yield { node, name: plainText(node, text), value: node, role: 'given' };
      continue;
    }
    const key = keyOf(node);
    const value = valueOf(node);
    const role = key === null ? null : roleOf(node, key, text);
    const name = key === null ? '' : (NAME.exec(plainText(key, text))?.[0] ?? '');
    if (role !== null && value !== null && value !== key && /^[\p{ID_Start}_$]/u.test(name))
      yield { node, name, value, role };
  }
}

function keyOf(node: SyntaxNode): SyntaxNode | null {
  const fields = ['key', 'name', 'field', 'designator', 'property', 'left', 'pattern', 'declarator'];
  const key = fields.map((each) => childOf(node, each)).find((each) => each !== null);
  return key ?? (node.kind === 'array_element_initializer' ? (namedChildren(node)[0] ?? null) : null);
}

function valueOf(node: SyntaxNode): SyntaxNode | null {
  const value = childOf(node, 'value') ?? childOf(node, 'right') ?? namedChildren(node).at(-1) ?? null;
  return value === null ? null : bare(value);
}

function roleOf(node: SyntaxNode, key: SyntaxNode, text: string): NamedValue['role'] | null {
  // A variable as the key of a Python dict or a PHP array is not a name.
  if (ENTRIES.test(node.kind)) return node.kind === 'pair' && key.kind === 'identifier' ? null : 'given';
  if (node.kind === 'argument') return key.field === 'name' ? 'given' : null;
  if (FIELDS.test(node.kind)) return 'own';
  if (VARIABLES.test(node.kind)) return 'variable';
  if (!ASSIGNMENTS.test(node.kind)) return null;
  const left = bare(key);
  if (SUBSCRIPTS.test(left.kind)) return /["']\s*\]$/.test(plainText(left, text)) ? 'given' : null;
  if (!MEMBERS.test(left.kind)) return 'variable';
  return /^(?:this|self|\$this)\b/.test(plainText(left, text)) ? 'own' : 'given';
}

/** The node without wrapper nodes. */
function bare(node: SyntaxNode): SyntaxNode {
  const [only, ...others] = node.children;
  if (only === undefined || others.length > 0) return node;
  return /^(?:literal_element|expression_list)$/.test(node.kind) ? bare(only) : node;
}

/**
 * Returns a boolean, number or empty value (`null`, `None`, `nil`) in a form that can be compared. null for any other
 * node, including texts.
 */
export function plainConstant(node: SyntaxNode, text: string): string | null {
  const written = plainText(node, text);
  if (CONSTANTS.test(written)) return written.toLowerCase();
  if (/^(?:unary_\w+|not_operator|prefix_unary_expression|unary_op_expression)$/.test(node.kind)) {
    const operand = namedChildren(node).at(-1);
    const inner = operand === undefined ? null : plainConstant(operand, text);
    const operator = operatorOf(node);
    return inner === null || operator === null ? null : `${plainText(operator, text)} ${inner}`;
  }
  return [...nodesOf(node)].some((each) => /string/.test(each.kind) && literalOf(each, text) !== null)
    ? null
    : constantOf(node, text);
}

/**
 * Returns the constant values of names in a file. A name without an assignment is missing. A name that is assigned more
 * than once, or whose value is not a constant, has the value null.
 */
export function constantsOf(source: SourceText): ReadonlyMap<string, string | null> {
  const found = new Map<string, string | null>();
  const given = new Set<SyntaxNode>();
  const give = (name: string, value: string | null): unknown => found.set(name, found.has(name) ? null : value);
  for (const { node, name, value, role } of namedValues(source)) {
    if (role !== 'variable') continue;
    const key = keyOf(node);
    if (key !== null) given.add(bare(key));
    give(name, plainConstant(value, source.text));
  }
  for (const node of nodesOf(source.root)) {
    const isWritten =
      node.field === 'left' || node.field === 'pattern' || /parameters$|^update_expression$/.test(kindOf(node.parent));
    if (node.kind === 'identifier' && isWritten && !given.has(node)) give(plainText(node, source.text), null);
  }
  return found;
}
