import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';
import type { SourceText } from '../findings/finding.ts';
import { argumentsOf, callsIn, chainOf, indexOf, literalOf } from '../findings/names.ts';
import { childOf, childOrSelf, kindOf, nodesOf, textOf } from '../syntax/walk.ts';
import { filesOfModule, filesOfSpecifier } from './imported-files.ts';
import type { Importer } from './imported-files.ts';

export interface Lost {
  /** Source files from which code was deleted. */
  readonly paths: ReadonlySet<string>;
  /** Whether some of these files were deleted completely. */
  readonly hasFile: boolean;
}

const LOADS = /^(?:require|import|__import__|import_module|importlib\.import_module|require\.resolve)$/;
const LISTS_MODULES = /^(?:import\.meta\.glob|pkgutil\.(?:iter_modules|walk_packages)|require\.context)$/;
const STARS = new Set(['namespace_export', '*', 'wildcard_import']);

/**
 * Pure: returns where a file may use deleted code without naming it, or null. The file imports a module as a whole and
 * accesses members by computed names, or it imports a module by a computed name. Compiled languages have no such
 * imports.
 */
export function unnamedUse(source: SourceText, importer: Importer, lost: Lost): { line: number; words: string } | null {
  const { root, text } = source;
  const takesLost = (paths: readonly string[]): boolean => paths.some((path) => lost.paths.has(path));
  for (const node of nodesOf(root)) {
    const taken = importIn(node, text, importer);
    if (taken === null || !takesLost(taken.paths)) continue;
    if (taken.name === null) return { line: node.line, words: 'imports all names of a changed file' };
    const whole = wholeUse(root, text, taken.name, node);
    if (whole !== null) return { line: whole.line, words: 'may use it by a name computed at run time' };
  }
  const loading = lost.hasFile ? computedLoad(root, text) : null;
  return loading === null ? null : { line: loading.line, words: 'loads files by names computed at run time' };
}

interface Taken {
  readonly paths: readonly string[];
  /** The name of the module in this file; null if its exports become names of this file. */
  readonly name: string | null;
}

/** The import of a whole module in a node, or null. */
function importIn(node: SyntaxNode, text: string, importer: Importer): Taken | null {
  const isPython = importer.language === 'python';
  return isPython ? pythonImport(node, text, importer) : javascriptImport(node, text, importer);
}

function javascriptImport(node: SyntaxNode, text: string, importer: Importer): Taken | null {
  const source = childOf(node, 'source');
  if (source !== null) {
    const paths = filesOfSpecifier(literalOf(source, text) ?? '', importer);
    if (node.kind === 'export_statement')
      return node.children.some(({ kind }) => STARS.has(kind)) ? { paths, name: null } : null;
    const namespace = [...nodesOf(node)].find(({ kind }) => kind === 'namespace_import');
    const name = namespace?.children.find(({ kind }) => kind === 'identifier');
    return name === undefined ? null : { paths, name: textOf(name, text) };
  }
  if (node.kind !== 'call_expression' || !LOADS.test(chainOf(node, text).join('.'))) return null;
  const [argument] = argumentsOf(node);
  const paths = filesOfSpecifier(argument === undefined ? '' : (literalOf(argument, text) ?? ''), importer);
  const outer = node.parent?.kind === 'await_expression' ? node.parent : node;
  const place = outer.parent?.kind === 'parenthesized_expression' ? outer.parent : outer;
  if (place.field === 'object' || place.parent?.kind === 'expression_statement') return null;
  const name = place.parent?.kind === 'variable_declarator' ? childOf(place.parent, 'name') : null;
  if (name?.kind === 'object_pattern' && !/\.\.\./.test(textOf(name, text))) return null;
  return { paths, name: name?.kind === 'identifier' ? textOf(name, text) : null };
}

function pythonImport(node: SyntaxNode, text: string, importer: Importer): Taken | null {
  const statement = node.parent;
  if (node.kind === 'wildcard_import' && statement !== null) {
    const module = childOf(statement, 'module_name');
    return module === null ? null : { paths: filesOfModule(textOf(module, text), importer), name: null };
  }
  if (node.field !== 'name' || statement === null || !/^import_(?:from_)?statement$/.test(statement.kind)) return null;
  const from = childOf(statement, 'module_name');
  const prefix = textOf(from, text);
  const written = textOf(childOrSelf(node, 'name'), text);
  const paths = filesOfModule(
    prefix === '' || prefix.endsWith('.') ? prefix + written : `${prefix}.${written}`,
    importer,
  );
  return { paths, name: textOf(childOf(node, 'alias') ?? childOf(node, 'name') ?? node, text) };
}

/** A use of the module itself, not of a named member. */
function wholeUse(root: SyntaxNode, text: string, name: string, imported: SyntaxNode): SyntaxNode | null {
  for (const node of nodesOf(root)) {
    if (node.start >= imported.start && node.end <= imported.end) continue;
    if (textOf(node, text) !== name || !/^(?:identifier|attribute|member_expression)$/.test(node.kind)) continue;
    const { parent } = node;
    const isDeclared = node.field === 'name' && parent?.kind === 'variable_declarator';
    const isMember = node.field === 'object' && /^(?:member_expression|attribute)$/.test(kindOf(parent));
    const isNamed = node.field === 'attribute' || node.field === 'property' || parent?.kind === 'dotted_name';
    if (!isDeclared && !isMember && !isNamed && !isLiteralSubscript(parent, text)) return node;
  }
  return null;
}

/** `all['name']`: the search for names finds it. */
function isLiteralSubscript(node: SyntaxNode | null, text: string): boolean {
  const index = node === null ? null : indexOf(node);
  return index !== null && literalOf(index, text) !== null;
}

function computedLoad(root: SyntaxNode, text: string): SyntaxNode | null {
  for (const call of callsIn(root)) {
    const name = chainOf(call, text).join('.');
    const [argument] = argumentsOf(call);
    const isComputed = LOADS.test(name) && argument !== undefined && literalOf(argument, text) === null;
    if (isComputed || LISTS_MODULES.test(name)) return call;
  }
  return null;
}
