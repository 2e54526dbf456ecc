import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { above, childOf, childOrSelf, kindOf, namedChildren, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { Inspection, SourceText } from '../../finding.ts';
import { CALLS, FUNCTIONS, identifiersIn, literalOf, literalsIn } from '../../names.ts';
import { addedNodes } from '../../added-nodes.ts';
import { isCommon } from './answers.ts';

const DECLARED = new Set([
  ...['function_declaration', 'method_definition', 'function_definition', 'function_item', 'method_declaration'],
  ...['method', 'singleton_method'],
]);
const NAMES = new Set([
  'identifier',
  'this',
  'self',
  'super',
  'field_identifier',
  'shorthand_property_identifier',
  'instance_variable',
  'class_variable',
  'global_variable',
  'yield',
  'variable_name',
  'relative_scope',
]);
/** Nodes that assign a value to a name. */
const GIVEN = new Set([
  ...['variable_declarator', 'assignment', 'assignment_expression', 'augmented_assignment', 'update_expression'],
  ...['augmented_assignment_expression', 'const_spec', 'var_spec', 'const_item', 'static_item', 'assignment_statement'],
]);
const CONSTANTS = /^(?:null|none|nil|true|false|undefined|None|True|False|boolean_literal|unit_expression)$/;
/** Parameters that are the object itself. */
const RECEIVERS = /^(?:self|cls|&self|&mut self|this)$/;

/** A function that returns the same result for every input. */
export const constantAnswer: Inspection = {
  kind: 'constant-answer',
  *look(file, change) {
    const { text } = file;
    const constants = constantNames(file);
    for (const node of addedNodes(file)) {
      if (!FUNCTIONS.has(node.kind) || !isNamed(node) || !hasParameters(node, text)) continue;
      const body = childOf(node, 'body');
      if (body === null || isJustifiedDefault(node, body, file)) continue;
      const isSame =
        isConstant(body, text, namesIn(node, text, constants)) || ignoresInput(node, body, file, change.asserted);
      if (isSame) yield { line: node.line, words: 'it returns the same result for every input' };
    }
  },
};

const CLASSES = /^class(?:_declaration|_definition)?$/;
/** Parts of a function that returns an empty or default value: `return false`, `return []`. */
const EMPTY_RESULT =
  /^(?:null|none|nil|true|false|undefined|None|True|False|return|return_statement|statement_block|block|array|list|object|dictionary|string|['"]|[{}[\]();])$/;

/**
 * Whether a method that returns an empty value is justified: another class of the file has a method of this name, or
 * its class extends another class.
 */
function isJustifiedDefault(node: SyntaxNode, body: SyntaxNode, { root, text }: SourceText): boolean {
  const owner = above(node, ({ kind }) => CLASSES.test(kind));
  const name = childOf(node, 'name');
  if (owner === null || name === null || /\w/.test([...literalsIn(body, text)].join(''))) return false;
  if (![...nodesOf(body)].every(({ kind }) => EMPTY_RESULT.test(kind))) return false;
  const isOne = owner.children.some(({ kind, field }) => kind === 'class_heritage' || field === 'superclasses');
  const isOther = (each: SyntaxNode): boolean =>
    each !== node && each.kind === node.kind && plainText(childOrSelf(each, 'name'), text) === plainText(name, text);
  return isOne || [...nodesOf(root)].some(isOther);
}

/**
 * Whether a function uses none of its parameters and contains an expected value of a test, directly or in a constant of
 * the file that it names.
 */
function ignoresInput(
  node: SyntaxNode,
  body: SyntaxNode,
  file: SourceText,
  asserted: readonly ReadonlySet<string>[],
): boolean {
  const { root, text } = file;
  const used = identifiersIn(body, text);
  const list = childOf(node, 'parameters') ?? childOf(node, 'parameter');
  const given = list === null ? [] : [...identifiersIn(list, text)];
  const usesInput = given.some((name) => used.has(name)) || [...nodesOf(body)].some(isOwnState);
  if (usesInput || given.length === 0 || given.every((name) => name.startsWith('_'))) return false;
  const values = root.children.flatMap((each) => namedValues(each, used, text));
  const answers = [body, ...values].flatMap((each) => [...literalsIn(each, text)]);
  return answers.some((value) => !isCommon(value) && asserted.some((each) => each.has(value)));

  /** Rows of a database (`Question.objects`) are an input too. */
  function isOwnState(each: SyntaxNode): boolean {
    if (each.parent?.kind === 'attribute' && plainText(each, text) === 'objects') return true;
    return /^(?:this|self|super|cls|arguments)$/.test(each.children.length === 0 ? plainText(each, text) : '');
  }
}

/** The values that a top-level statement assigns to these names. */
function namedValues(statement: SyntaxNode, names: ReadonlySet<string>, text: string): SyntaxNode[] {
  return [...nodesOf(statement)].flatMap((each) => {
    const name = GIVEN.has(each.kind) ? (childOf(each, 'name') ?? childOf(each, 'left')) : null;
    const value = childOf(each, 'value') ?? childOf(each, 'right');
    const isMeant = name !== null && value !== null && !FUNCTIONS.has(value.kind) && names.has(plainText(name, text));
    return isMeant ? [value] : [];
  });
}

/** Names in the file that are assigned one literal: `const PRODUCT = 42`. A name that is assigned twice is left out. */
function constantNames({ root, text }: SourceText): Set<string> {
  const found = new Map<string, boolean>();
  for (const node of nodesOf(root)) {
    if (!GIVEN.has(node.kind)) continue;
    const name = childOf(node, 'name') ?? childOf(node, 'left');
    const value = childOf(node, 'value') ?? childOf(node, 'right');
    if (name === null) continue;
    const key = plainText(name, text);
    const only = value?.kind === 'expression_list' ? namedChildren(value)[0] : value;
    found.set(key, !found.has(key) && only !== null && only !== undefined && literalOf(only, text) !== null);
  }
  return new Set([...found].flatMap(([name, isLiteral]) => (isLiteral ? [name] : [])));
}

/**
 * Names that have a literal value in a function. If all parameters are marked as unused (`_user`), constants of the
 * file do not count: such a function may return one.
 */
function namesIn(node: SyntaxNode, text: string, constants: ReadonlySet<string>): ReadonlySet<string> {
  const list = childOf(node, 'parameters') ?? childOf(node, 'parameter');
  const given = list === null ? [] : [...identifiersIn(list, text)];
  const isUnused = given.length > 0 && given.every((name) => name.startsWith('_'));
  return isUnused ? new Set() : new Set([...constants, ...defaultsOf(node, text)]);
}

/** Parameters whose default is a literal. */
function defaultsOf(node: SyntaxNode, text: string): string[] {
  return namedChildren(childOrSelf(node, 'parameters')).flatMap((each) => {
    const name = childOf(each, 'name') ?? childOf(each, 'left') ?? childOf(each, 'pattern');
    const value = childOf(each, 'value') ?? childOf(each, 'right');
    return name !== null && value !== null && literalOf(value, text) !== null ? [plainText(name, text)] : [];
  });
}

/** Whether a function is not a callback. Callbacks often ignore their arguments. */
function isNamed(node: SyntaxNode): boolean {
  return DECLARED.has(node.kind) || /^(?:variable_declarator|assignment_expression)$/.test(kindOf(node.parent));
}

function hasParameters(node: SyntaxNode, text: string): boolean {
  const list = childOf(node, 'parameters');
  const given = namedChildren(list);
  return childOf(node, 'parameter') !== null || given.some((each) => !RECEIVERS.test(plainText(each, text)));
}

function isConstant(body: SyntaxNode, text: string, constants: ReadonlySet<string>): boolean {
  let answers = false;
  for (const node of nodesOf(body)) {
    if (CALLS.has(node.kind) || /^(?:throw|raise)_/.test(node.kind)) return false;
    const isNamed = node.kind === 'identifier' && constants.has(plainText(node, text));
    if (NAMES.has(node.kind) && !isNamed) return false;
    if (isNamed || literalOf(node, text) !== null || CONSTANTS.test(node.kind)) answers ||= isAnswer(node, body);
  }
  return answers;
}

/** Whether a value is returned. A string that is a statement is documentation. */
function isAnswer(node: SyntaxNode, body: SyntaxNode): boolean {
  for (let each: SyntaxNode | null = node; each !== null && each !== body; each = each.parent) {
    if (/^return_/.test(each.kind)) return true;
    if (/_statement$/.test(each.kind)) return false;
  }
  // The value of an arrow function, or of a block in Rust.
  return node === body || body.kind !== 'statement_block';
}
