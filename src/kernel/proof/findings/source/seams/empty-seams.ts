import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { above, childOf, childOrSelf, namedChildren, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { InspectedFile } from '../../finding.ts';
import { isFunction, isNothing, nameOf, nameOfFunction, namesIn } from './syntax.ts';
import { CALLS } from '../../names.ts';

/**
 * A place for a function that a source leaves empty: a module variable, a static field, a table, or a method that only
 * fails.
 */
export interface Seam {
  readonly name: string;
  readonly kind: 'slot' | 'table' | 'method';
}

const DECLARES =
  /^(?:variable_declarator|assignment|assignment_expression|(?:public_)?field_definition|var_spec|static_item|property_element|function_declaration|function_definition)$/;
/** Methods that a subclass may have to provide, because they only fail or are abstract. */
const METHODS = /^(?:method_definition|abstract_method_signature|method)$/;
const TABLE =
  /^(?:\{\}|\[\]|new (?:Weak)?(?:Map|Set|\w*HashMap|TreeMap|ArrayList)(?:<.*>)?\(\)|Object\.create\(null\)|(?:dict|list|OrderedDict|array)\(\)|Hash\.new|defaultdict\(.*\)|map\[.*\].*\{\}|make\(map.*\))$/s;
const RUST_SLOT =
  /^(?:\w+::)*(?:OnceLock|OnceCell|Mutex|RwLock|RefCell|Cell|ArcSwapOption)::(?:new|const_new|empty)\((?:(?:Option::)?None)?\)$/;
const RUST_TABLE = /(?:HashMap|BTreeMap|Vec)::new\(\)\)*$/;
const ACCESSORS = /^(?:[cm]?attr_(?:accessor|writer)|[cm]attr_accessor|mattr_accessor|class_attribute)$/;

/** Returns the seams that the change adds to a file. */
export function emptySeams(file: InspectedFile): Seam[] {
  const { root, text, isAdded } = file;
  const found = new Map<string, Seam>();
  for (const node of nodesOf(root)) {
    if (!isAdded(node)) continue;
    for (const seam of seamsAt(node, file)) if (!found.has(seam.name)) found.set(seam.name, seam);
  }
  return [...found.values()].filter(({ name }) => !/^_+$/.test(name) && text.includes(name));
}

function seamsAt(node: SyntaxNode, { text, language }: InspectedFile): Seam[] {
  if (language === 'ruby') {
    const ruby = rubySeams(node, text);
    if (ruby.length > 0) return ruby;
  }
  if (METHODS.test(node.kind)) {
    const name = isMissing(node, text) ? nameOfFunction(node, text) : null;
    return name === null ? [] : [{ name, kind: 'method' }];
  }
  if (!DECLARES.test(node.kind) || above(node, isFunction) !== null || !isShared(node, text)) return [];
  const name = declaredName(node, text);
  const kind = name === null ? null : kindOf(node, text);
  return name === null || kind === null ? [] : [{ name, kind }];
}

function isMissing(method: SyntaxNode, text: string): boolean {
  if (method.kind === 'abstract_method_signature') return true;
  const body = childOf(method, 'body');
  return body !== null && namedChildren(body).length > 0 && isNothing(method, text);
}

/** Whether a declaration is shared. A field of each object is set by the code that creates the object. */
function isShared(node: SyntaxNode, text: string): boolean {
  const isField = /field_definition$|^property_element$/.test(node.kind) || node.parent?.kind === 'field_declaration';
  const declared = /^(?:property_element|variable_declarator)$/.test(node.kind) ? (node.parent ?? node) : node;
  return !isField || /\bstatic\b/.test(text.slice(declared.start, node.end));
}

function declaredName(node: SyntaxNode, text: string): string | null {
  if (/^function_/.test(node.kind)) return nameOfFunction(node, text);
  const target = ['name', 'left', 'property'].map((field) => childOf(node, field)).find((each) => each !== null);
  if (target === null || target === undefined || /pattern|list|subscript|element_reference/.test(target.kind))
    return null;
  return namesIn(target, text).at(-1) ?? null;
}

function kindOf(node: SyntaxNode, text: string): Seam['kind'] | null {
  if (/^function_/.test(node.kind)) return isNothing(node, text) ? 'method' : null;
  const given = childOf(node, 'value') ?? childOf(node, 'right') ?? childOf(node, 'default_value');
  const value = given === null ? null : bare(given);
  if (isNothing(value, text)) {
    // Without a value it only declares a type: `engine: Engine` in Python.
    return value === null && node.kind === 'assignment' ? null : 'slot';
  }
  const written = plainText(value, text);
  if (RUST_SLOT.test(written)) return 'slot';
  if (TABLE.test(written) || RUST_TABLE.test(written) || isTableOfNothing(value, text)) return 'table';
  return null;
}

/** The value without types of TypeScript and parentheses. */
function bare(node: SyntaxNode): SyntaxNode {
  const inner = /^(?:as_expression|satisfies_expression|parenthesized_expression|expression_list)$/.test(node.kind)
    ? namedChildren(node)[0]
    : undefined;
  return inner === undefined ? node : bare(inner);
}

/** `{ mul: null }`. */
function isTableOfNothing(value: SyntaxNode | null, text: string): boolean {
  if (value === null || !/^(?:object|dictionary|hash)$/.test(value.kind)) return false;
  const entries = namedChildren(value);
  return entries.length > 0 && entries.every((each) => each.kind === 'pair' && isNothing(childOf(each, 'value'), text));
}

/** Accessors of a class or module, and variables that its own methods share. */
function rubySeams(node: SyntaxNode, text: string): Seam[] {
  if (CALLS.has(node.kind) && ACCESSORS.test(plainText(childOrSelf(node, 'method'), text))) {
    const isShared = above(node, ({ kind, named }) => named && kind === 'singleton_class') !== null;
    const isOfClass = /^[cm]|^class/.test(plainText(node, text));
    if (!isShared && !isOfClass) return [];
    return namedChildren(childOrSelf(node, 'arguments'))
      .filter(({ kind }) => kind === 'simple_symbol')
      .map((each) => ({ name: plainText(each, text).slice(1), kind: 'slot' }));
  }
  if (node.kind !== 'instance_variable') return [];
  const isOfModule = above(node, ({ kind, named }) => named && /^singleton_(?:method|class)$/.test(kind)) !== null;
  const name = isOfModule ? nameOf(node, text) : null;
  return name === null ? [] : [{ name, kind: 'slot' }];
}
