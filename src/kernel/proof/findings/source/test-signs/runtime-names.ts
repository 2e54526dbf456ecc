import { isBuiltin } from 'node:module';
import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { firstText } from '../../../../../lib/text/first-last.ts';
import { above, childOf, childOrSelf, kindOf, namedChildren, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { InspectedFile } from '../../finding.ts';
import { FUNCTIONS, literalOf } from '../../names.ts';

const STANDARD =
  /^(?:sys|os|threading|gc|inspect|logging|warnings|faulthandler|builtins|traceback|io|contextvars|linecache)$/;
const REQUIRED = /^require\((['"])([^'"]+)\1\)$/;

/** A place that gives a name: a parameter, a variable, a function. */
interface Giver {
  /** The start of the function around it. null: it is at the top level of the file. */
  readonly scope: number | null;
  /** null: the place does not assign one value. */
  readonly value: SyntaxNode | null;
}

/** The names of a file. */
export interface FileNames {
  /** Names that the file imports from the runtime, each with its full name: `out` is `sys.stdout`. */
  readonly imported: ReadonlyMap<string, string>;
  readonly givers: ReadonlyMap<string, readonly Giver[]>;
}

export function fileNames(file: InspectedFile): FileNames {
  const { root, text, language } = file;
  const imported = new Map<string, string>();
  const givers = new Map<string, Giver[]>();
  for (const node of nodesOf(root)) {
    for (const [name, full] of importsAt(node, text, language)) imported.set(name, full);
    if (!givesName(node)) continue;
    const name = plainText(node, text);
    const known = givers.get(name);
    const giver = { scope: scopeOf(node), value: valueOf(node) };
    if (known === undefined) givers.set(name, [giver]);
    else known.push(giver);
  }
  return { imported, givers };
}

/**
 * The value that a variable has at a node. null if the assignment is in another function that is not around the node, or
 * if another assignment or a parameter of the file has the name.
 */
export function valueAt(node: SyntaxNode, { givers }: FileNames, text: string): SyntaxNode | null {
  const [giver, ...others] = givers.get(plainText(node, text)) ?? [];
  if (giver === undefined || others.length > 0) return null;
  const { scope, value } = giver;
  const isSeen = scope === null || above(node, ({ kind, start }) => start === scope && FUNCTIONS.has(kind)) !== null;
  return isSeen ? value : null;
}

/** Whether the top level of the file gives the name. */
export function isGivenByFile(name: string, { imported, givers }: FileNames): boolean {
  return !imported.has(name) && (givers.get(name) ?? []).some(({ scope }) => scope === null);
}

function scopeOf(node: SyntaxNode): number | null {
  return above(node, ({ kind }) => FUNCTIONS.has(kind))?.start ?? null;
}

function givesName({ kind, field, parent }: SyntaxNode): boolean {
  if (kind === 'shorthand_property_identifier_pattern') return true;
  if (kind !== 'identifier' || parent === null || parent.kind === 'keyword_argument') return false;
  if (/^(?:name|left|pattern|parameter|alias)$/.test(field ?? '')) return !/^binary/.test(parent.kind);
  const isDefault = /default_parameter$|^assignment_pattern$/.test(parent.kind);
  return /parameter|pattern/.test(parent.kind) && !isDefault;
}

function valueOf({ parent, field }: SyntaxNode): SyntaxNode | null {
  if (parent === null || !/^(?:name|left)$/.test(field ?? '')) return null;
  if (!/^(?:variable_declarator|assignment|assignment_expression)$/.test(parent.kind)) return null;
  return childOf(parent, 'value') ?? childOf(parent, 'right');
}

type Names = readonly (readonly [name: string, full: string])[];

function importsAt(node: SyntaxNode, text: string, language: string): Names {
  if (node.kind === 'import_from_statement' || (language === 'python' && node.kind === 'import_statement'))
    return pythonImports(node, text);
  if (node.kind === 'import_statement') {
    const from = childOf(node, 'source');
    const module = from === null ? null : builtin(literalOf(from, text) ?? '');
    return module === null ? [] : [...nodesOf(node)].flatMap((each) => importedAt(each, module, text));
  }
  const [name, value] =
    node.kind === 'variable_declarator' ? [childOf(node, 'name'), childOf(node, 'value')] : [null, null];
  const module = value === null ? null : builtin(REQUIRED.exec(plainText(value, text))?.[2] ?? '');
  if (name === null || module === null) return [];
  return name.kind === 'identifier' ? [[plainText(name, text), module]] : takenFrom(name, module, text);
}

function importedAt(node: SyntaxNode, module: string, text: string): Names {
  if (node.kind === 'import_specifier') {
    const [name, alias] = namedChildren(node).map((each) => plainText(each, text));
    return name === undefined ? [] : [[alias ?? name, `${module}.${name}`]];
  }
  const isWhole = node.kind === 'identifier' && /^(?:import_clause|namespace_import)$/.test(kindOf(node.parent));
  return isWhole ? [[plainText(node, text), module]] : [];
}

function takenFrom(pattern: SyntaxNode, module: string, text: string): Names {
  return namedChildren(pattern).map((each) => {
    const [key, value] = ['key', 'value'].map((field) => childOf(each, field));
    const name = plainText(key ?? each, text);
    return [value ? plainText(value, text) : name, `${module}.${name}`];
  });
}

function pythonImports(statement: SyntaxNode, text: string): Names {
  const from = childOf(statement, 'module_name');
  const module = from === null ? null : plainText(from, text);
  return statement.children.flatMap((each) => {
    if (each.field !== 'name') return [];
    const [named, alias] = [childOrSelf(each, 'name'), childOf(each, 'alias')];
    const name = plainText(named, text);
    const full = module === null ? name : `${module}.${name}`;
    if (!STANDARD.test(firstText(full.split('.')))) return [];
    const own = module === null && alias === null ? (name.split('.')[0] ?? name) : name;
    return [alias === null ? [own, module === null ? own : full] : [plainText(alias, text), full]];
  });
}

/** The name of a module of Node without its scheme. null for any other module. */
function builtin(module: string): string | null {
  return isBuiltin(module) ? module.replace(/^node:/, '') : null;
}
