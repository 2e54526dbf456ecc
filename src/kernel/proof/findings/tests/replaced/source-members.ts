import { posix } from 'node:path';
import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { lastText } from '../../../../../lib/text/first-last.ts';
import { above, childOf, childOrSelf, kindOf, namedChildren, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { InspectedFile } from '../../finding.ts';
import { argumentsOf, calleeOf, CALLS, chainOf, FUNCTIONS, lastName } from '../../names.ts';
import { INSTANCE } from './put.ts';

/** Members of a class, object or module of the changed sources. */
export interface Members {
  readonly names: ReadonlySet<string>;
  /** Names to which the change gives no value. */
  readonly empty: ReadonlySet<string>;
  /** Whether it may have more members than the text shows: inherited members, and members that calls add. */
  readonly isOpen: boolean;
}

const CLASSES = /^(?:abstract_)?class(?:_declaration|_definition)?$/;
const DECLARES = new Set(['variable_declarator', 'assignment', 'function_declaration']);
const NAMING = new Set([
  ...['method_definition', 'public_field_definition', 'field_definition', 'pair', 'variable_declarator'],
  ...['function_declaration', 'generator_function_declaration', 'class_declaration', 'abstract_class_declaration'],
  ...['class_definition', 'function_definition', 'export_specifier', 'aliased_import', 'enum_declaration'],
]);
const NAMES = new Set(['shorthand_property_identifier', 'shorthand_property_identifier_pattern']);
const IMPORTS = /^(?:import_specifier|namespace_import|import_clause|dotted_name|global_statement)$/;
const ASSIGNS = /^(?:augmented_)?assignment(?:_expression)?$/;
const FIELDS = /field_definition$/;
const NOTHING = /^(?:null|undefined|none)$/;
/** Decorators that do not add methods which tests call. */
const PLAIN_DECORATOR = /^@(?:dataclasses\.)?dataclass\b/;

/** Returns the members of the owner of a stored value; null if the owner does not belong to the changed sources. */
export function membersOf(owner: readonly string[], sources: readonly InspectedFile[]): Members | null {
  const path = owner.at(-1) === INSTANCE ? owner.slice(0, -1) : owner;
  const last = path.at(-1);
  if (owner[0] !== '.' || last === undefined || path.includes(INSTANCE)) return null;
  const found = sources.flatMap((source) => {
    const isNear = source.language !== 'python' || segmentsOf(source.path).some((each) => path.includes(each));
    const isModule = segmentsOf(source.path).at(-1) === last || (last === 'default' && isNear);
    return [
      ...(isNear ? declarationsOf(last, source).map((each) => ofDeclaration(each, last, source)) : []),
      ...(isModule ? [ofModule(source), ...defaultOf(source)] : []),
    ];
  });
  return found.length === 0 ? null : together(found);
}

/**
 * The directories and name of a module: `src/shop/index.js` gives `src`, `shop`; `shop/cart.py` gives `shop`, `cart`.
 */
function segmentsOf(path: string): string[] {
  const segments = path.slice(0, path.length - posix.extname(path).length).split('/');
  return /^(?:index|__init__)$/.test(lastText(segments)) ? segments.slice(0, -1) : segments;
}

function together(all: readonly Members[]): Members {
  const names = new Set(all.flatMap((each) => [...each.names]));
  const empty = new Set(all.flatMap((each) => [...each.empty]).filter((each) => !names.has(each)));
  return { names, empty, isOpen: all.some(({ isOpen }) => isOpen) };
}

function isTopLevel(node: SyntaxNode): boolean {
  return above(node, ({ kind }) => FUNCTIONS.has(kind) || CLASSES.test(kind)) === null;
}

/** Top-level classes, functions and objects of this name. */
function declarationsOf(name: string, { root, text }: InspectedFile): SyntaxNode[] {
  return [...nodesOf(root)].filter((node) => {
    if (!node.named || (!CLASSES.test(node.kind) && !DECLARES.has(node.kind)) || !isTopLevel(node)) return false;
    const named = childOf(node, 'name') ?? childOf(node, 'left');
    if (named === null || plainText(named, text) !== name) return false;
    const value = childOf(node, 'value') ?? childOf(node, 'right');
    return value === null || FUNCTIONS.has(value.kind) || CLASSES.test(value.kind) || value.kind === 'object';
  });
}

function ofDeclaration(node: SyntaxNode, name: string, source: InspectedFile): Members {
  const { root, text } = source;
  const all = [...nodesOf(root)];
  const later = all.filter((each) => {
    const left = ASSIGNS.test(each.kind) ? childOf(each, 'left') : null;
    const chain = chainOf(left, text);
    return chain[0] === name && chain.length > 1;
  });
  const isFilled = all.some(
    (each) => CALLS.has(each.kind) && argumentsOf(each).some((given) => chainOf(given, text)[0] === name),
  );
  const own = [...nodesOf(node)].filter((each) => each !== node);
  return named([...own, ...later], source, isFilled || inherits(node, text) || own.some(spreads));
}

function inherits(node: SyntaxNode, text: string): boolean {
  const declared = CLASSES.test(node.kind) ? node : childOrSelf(node, 'value');
  const bases = childOf(declared, 'superclasses');
  const isDerived =
    declared.children.some(({ kind }) => kind === 'class_heritage' || kind === 'extends_clause') ||
    (bases !== null && namedChildren(bases).some((each) => plainText(each, text) !== 'object'));
  const decorators = node.parent?.kind === 'decorated_definition' ? node.parent.children : node.children;
  const isDecorated = decorators.some(
    (each) => each.kind === 'decorator' && !PLAIN_DECORATOR.test(plainText(each, text)),
  );
  return isDerived || isDecorated || /\b__getattr__\b/.test(text.slice(node.start, node.end));
}

function ofModule(source: InspectedFile): Members {
  const all = [...nodesOf(source.root)];
  const own = all.filter((each) => isTopLevel(each) || each.kind === 'global_statement');
  const isOpen = all.some(
    (each) =>
      each.kind === 'wildcard_import' ||
      (each.kind === 'export_statement' && each.children.some(({ kind }) => kind === '*')) ||
      spreads(each) ||
      (CALLS.has(each.kind) &&
        /^(?:exports|module\.exports)$/.test(plainText(argumentsOf(each)[0] ?? each, source.text))),
  );
  return named(own, source, isOpen || /\b__getattr__\b/.test(source.text));
}

function spreads({ kind, parent }: SyntaxNode): boolean {
  return kind === 'spread_element' && parent?.kind === 'object';
}

/** The members of the default export: `module.exports = Cart`, `export default class …`. */
function defaultOf(source: InspectedFile): Members[] {
  const { root, text } = source;
  return [...nodesOf(root)].flatMap((node) => {
    const isExported =
      (node.kind === 'assignment_expression' && plainText(childOrSelf(node, 'left'), text) === 'module.exports') ||
      (node.kind === 'export_statement' && node.children.some(({ kind }) => kind === 'default'));
    const value = childOf(node, 'right') ?? childOf(node, 'value') ?? childOf(node, 'declaration');
    if (!isExported || value === null) return [];
    const name = value.kind === 'identifier' ? plainText(value, text) : null;
    if (name !== null) return declarationsOf(name, source).map((each) => ofDeclaration(each, name, source));
    return [ofDeclaration(value, plainText(childOrSelf(value, 'name'), text), source)];
  });
}

function named(nodes: readonly SyntaxNode[], { text, isAdded }: InspectedFile, isOpen: boolean): Members {
  const names = new Set<string>();
  const empty = new Set<string>();
  for (const node of nodes) {
    if (above(node, ({ kind }) => kind === 'ambient_declaration') !== null) continue;
    const isEmpty = isAdded(node) && holdsNothing(node, text);
    for (const each of namesOf(node, text)) (isEmpty ? empty : names).add(each);
  }
  return { names, empty, isOpen };
}

function holdsNothing(node: SyntaxNode, text: string): boolean {
  const value = childOf(node, 'value') ?? childOf(node, 'right');
  if (value !== null) return NOTHING.test(value.kind) || plainText(value, text) === 'undefined';
  return FIELDS.test(node.kind) || node.kind === 'variable_declarator';
}

function namesOf(node: SyntaxNode, text: string): string[] {
  if (NAMES.has(node.kind)) return [plainText(node, text)];
  if (ASSIGNS.test(node.kind)) return assignedIn(childOf(node, 'left'), text);
  if (node.kind === 'identifier' && (IMPORTS.test(kindOf(node.parent)) || node.field === 'alias'))
    return [plainText(node, text)];
  // `constructor(private rates)` of TypeScript.
  const pattern = /^(?:required|optional)_parameter$/.test(node.kind) ? childOf(node, 'pattern') : null;
  if (pattern !== null) return [plainText(pattern, text)];
  if (!NAMING.has(node.kind)) return [];
  const name = ['name', 'property', 'key', 'alias'].flatMap((field) => childOf(node, field) ?? []);
  return name.flatMap((each) =>
    /pattern$/.test(each.kind) ? identifiers(each, text) : [plainText(each, text).replace(/^["'#]|["']$/g, '')],
  );
}

/** Assigned names, with the last name of each chain: `total` in `this.total = …`. */
function assignedIn(left: SyntaxNode | null, text: string): string[] {
  if (left === null) return [];
  if (/list|tuple|pattern/.test(left.kind)) return namedChildren(left).flatMap((each) => assignedIn(each, text));
  return [lastName(left, text)];
}

function identifiers(node: SyntaxNode, text: string): string[] {
  return [...nodesOf(node)].filter(({ kind }) => /identifier/.test(kind)).map((each) => plainText(each, text));
}

/** Returns whether the changed sources use a name. */
export function isMentioned(name: string, sources: readonly InspectedFile[]): boolean {
  return mentionsOf(name, sources).length > 0;
}

/** Returns whether the sources call the name in every use, and never check whether it exists. */
export function isCalledUnchecked(name: string, sources: readonly InspectedFile[]): boolean {
  const uses = mentionsOf(name, sources).filter(({ parent }) => {
    const member = parent?.kind === 'member_expression' || parent?.kind === 'attribute' ? parent : null;
    return !NAMING.has(kindOf(parent)) && !ASSIGNS.test(kindOf((member ?? { parent }).parent));
  });
  const isCall = (node: SyntaxNode): boolean => {
    const called = node.parent?.kind === 'member_expression' || node.parent?.kind === 'attribute' ? node.parent : node;
    const call = called.parent;
    if (call?.kind === 'call' && childOf(call, 'method') !== null) return isRubyCall(node);
    return call !== null && calleeOf(call) === called && !call.children.some(({ kind }) => kind === 'optional_chain');
  };
  const calls = uses.filter(({ parent }) => !/^(?:global_statement|ambient_declaration)$/.test(kindOf(parent)));
  return calls.length > 0 && calls.every(isCall);
}

/** `engine.call(a, b)`, `self.engine.call(a, b)`, `engine.(a, b)`. */
function isRubyCall(name: SyntaxNode): boolean {
  const value = name.field === 'method' ? (name.parent ?? name) : name;
  const call = value.parent;
  if (value.field !== 'receiver' || call?.kind !== 'call' || call.children.some(({ kind }) => kind === '&.'))
    return false;
  const method = childOf(call, 'method');
  return method === null || method.end - method.start === 'call'.length;
}

function mentionsOf(name: string, sources: readonly InspectedFile[]): SyntaxNode[] {
  return sources.flatMap(({ root, text }) =>
    [...nodesOf(root)].filter(
      (node) =>
        node.children.length === 0 &&
        /identifier|(?:instance|class)_variable/.test(node.kind) &&
        plainText(node, text).replace(/^@@?/, '') === name,
    ),
  );
}
