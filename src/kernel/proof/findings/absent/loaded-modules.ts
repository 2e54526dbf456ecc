import { posix } from 'node:path';
import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { above, childOf, childOrSelf, namedChildren, nodesOf, plainText } from '../../syntax/walk.ts';
import { addedNodes } from '../added-nodes.ts';
import type { InspectedFile } from '../finding.ts';
import { argumentsOf, calleeOf, chainOf, literalOf } from '../names.ts';

/** A module that the change makes a file load. */
export interface LoadedModule {
  readonly line: number;
  /** The specifier as written: `./engine.js`, `.engine`. */
  readonly written: string;
  /** Paths in the project without extensions. The module must be at one of them. */
  readonly places: readonly string[];
  /** Whether it may also be a name in `__init__.py` of the same directory: `from . import engine`. */
  readonly isName: boolean;
  /** Whether the file works without the module. */
  readonly isOptional: boolean;
}

/** Pure: returns the modules that a file loads by a path in the project. Packages and imports of types are left out. */
export function loadedModules(file: InspectedFile): LoadedModule[] {
  switch (file.language) {
    case 'javascript':
    case 'typescript':
    case 'tsx':
      return modulesBy(javascriptSpecifier, file);
    case 'python':
      return [...addedNodes(file)].flatMap((node) => pythonModules(node, file));
    case 'ruby':
      return modulesBy(rubyFeature, file);
    case 'php':
      return modulesBy(phpFile, file);
    case 'go':
    case 'rust':
    case 'java':
    case 'cpp':
      return [];
  }
}

type Specifier = (node: SyntaxNode, file: InspectedFile) => string | null;

/** Loaded modules of languages whose specifier is a path relative to the loading file. */
function modulesBy(specifierOf: Specifier, file: InspectedFile): LoadedModule[] {
  return [...addedNodes(file)].flatMap((node) => {
    const written = specifierOf(node, file);
    const place = written === null ? null : inside(posix.join(posix.dirname(file.path), written));
    if (written === null || place === null) return [];
    return [{ line: node.line, written, places: [place], isName: false, isOptional: isTried(node, file.text) }];
  });
}

/** The path; null if it is outside of the project or in a directory of installed packages. */
function inside(path: string): string | null {
  const place = path.replace(/\/$/, '');
  return /^(?:\.\.(?:\/|$)|\/)|(?:^|\/)(?:node_modules|vendor)(?:\/|$)/.test(place) ? null : place;
}

const TYPES = /^(?:import|export)\s+type\b(?!\s*,|\s+from\b)/;

function javascriptSpecifier(node: SyntaxNode, { text }: InspectedFile): string | null {
  const given = specifierNode(node, text);
  const literal = literalOf(given, text);
  const specifier = literal?.replace(/[?#].*$/s, '') ?? '';
  return /^\.{1,2}(?:\/|$)/.test(specifier) ? specifier : null;
}

/** Returns the specifier of an import, export or `require` call; null for imports of types. */
export function specifierNode(node: SyntaxNode, text: string): SyntaxNode | null {
  if (/^(?:import|export)_statement$/.test(node.kind)) {
    const names = [...nodesOf(node)].filter(({ kind }) => /^(?:import|export)_specifier$/.test(kind));
    const isOfTypes = names.length > 0 && names.every((each) => /^type\s/.test(text.slice(each.start, each.end)));
    return isOfTypes || TYPES.test(text.slice(node.start, node.end)) ? null : sourceOf(node);
  }
  const callee = node.kind === 'call_expression' ? calleeOf(node) : null;
  const isLoading = /^(?:require|import)$/.test(plainText(callee, text));
  return isLoading ? (argumentsOf(node)[0] ?? null) : null;
}

/** In `import x = require('./b')` the source is one level deeper. */
function sourceOf(node: SyntaxNode): SyntaxNode | null {
  return [node, ...namedChildren(node)].map((each) => childOf(each, 'source')).find((each) => each !== null) ?? null;
}

function rubyFeature(node: SyntaxNode, { text }: InspectedFile): string | null {
  const isLoading = node.kind === 'call' && chainOf(node, text).join('.') === 'require_relative';
  const [first] = isLoading ? argumentsOf(node) : [];
  return first === undefined ? null : (literalOf(first, text)?.replace(/\.rb$/, '') ?? null);
}

const PHP_LOADS = /^(?:require|include)(?:_once)?_expression$/;
const BESIDE = /^__DIR__\.$|^dirname\(__FILE__\)\.$/;
const ABOVE = /^dirname\(__DIR__(?:,(\d+))?\)\.$/;

/** The path of a PHP include: a text, or a text after `__DIR__` or `dirname(__DIR__)`. */
function phpFile(node: SyntaxNode, { text }: InspectedFile): string | null {
  if (!PHP_LOADS.test(node.kind)) return null;
  let given = namedChildren(node)[0] ?? null;
  if (given?.kind === 'parenthesized_expression') given = namedChildren(given)[0] ?? null;
  const last = given?.kind === 'binary_expression' ? childOf(given, 'right') : given;
  const path = literalOf(last, text);
  if (given === null || last === null || path === null) return null;
  const base = text.slice(given.start, last.start).replaceAll(/\s/g, '');
  const up = ABOVE.exec(base);
  if (up !== null) return `${'../'.repeat(Number(up[1] ?? 1))}${path}`;
  return BESIDE.test(base) || (base === '' && path.startsWith('./')) ? `./${path}` : null;
}

/**
 * The modules of an import: `.engine`, `.engine` for `from . import engine`, and `shop.engine` if it can be in the
 * project.
 */
function pythonModules(node: SyntaxNode, { path, text }: InspectedFile): LoadedModule[] {
  if (!/^import_(?:from_)?statement$/.test(node.kind) || isForTypes(node, text)) return [];
  const module = childOf(node, 'module_name');
  const names = node.children.filter(({ field }) => field === 'name');
  const written = plainText(module, text);
  const here = (place: string, own: string, isName = false): LoadedModule[] => {
    const places = [inside(place)].filter((each) => each !== null);
    return places.length === 0
      ? []
      : [{ line: node.line, written: own, places, isName, isOptional: isTried(node, text) }];
  };
  const [, dots = '', rest = ''] = /^(\.*)(.*)$/s.exec(written) ?? [];
  if (dots === '') {
    const whole = module === null ? names.map((each) => plainText(childOrSelf(each, 'name'), text)) : [written];
    return whole.flatMap((each) => absoluteModule(each, node, { path, text }));
  }
  const base = posix.join(posix.dirname(path), '../'.repeat(dots.length - 1));
  if (rest !== '') return here(posix.join(base, rest.replaceAll('.', '/')), written);
  return names.flatMap((each) => {
    const name = plainText(childOrSelf(each, 'name'), text);
    return here(posix.join(base, name), `${dots}${name}`, true);
  });
}

const ROOTS = ['', 'src', 'lib', 'python'];

/** A module inside a package. A name without a dot may be any installed package, so it is left out. */
function absoluteModule(
  written: string,
  node: SyntaxNode,
  { path, text }: Pick<InspectedFile, 'path' | 'text'>,
): LoadedModule[] {
  const parts = written.split('.');
  if (parts.length < 2) return [];
  const directories = posix.dirname(path).split('/');
  const around = directories
    .map((_, index) => directories.slice(0, index + 1).join('/'))
    .filter((each) => each !== '.');
  const places = [...new Set([...ROOTS, ...around])].map((root) => posix.join(root, ...parts));
  return [{ line: node.line, written, places, isName: false, isOptional: isTried(node, text) }];
}

/** Returns whether a Python import is only for type checkers. */
export function isForTypes(node: SyntaxNode, text: string): boolean {
  const condition = (each: SyntaxNode): string => plainText(childOrSelf(each, 'condition'), text);
  return above(node, (each) => each.kind === 'if_statement' && /\bTYPE_CHECKING$/.test(condition(each))) !== null;
}

const CATCHES = /^(?:catch_clause|except_clause|except_group_clause|rescue)$/;
const HANDLERS = /^(?:catch_clause|except_clause|except_group_clause|finally_clause|rescue|ensure)$/;
const ASKS = /exist|is_?file|find_spec|resolve/i;

/**
 * Whether the file handles a missing module: the import is in a `try`, has a `.catch(…)`, or follows a check that the
 * file exists.
 */
function isTried(node: SyntaxNode, text: string): boolean {
  let inHandler = false;
  for (let each = node; each.parent !== null; each = each.parent) {
    const { parent } = each;
    inHandler ||= HANDLERS.test(each.kind);
    if (!inHandler && parent.children.some(({ kind, named }) => named && CATCHES.test(kind))) return true;
    if (parent.kind === 'member_expression' && /\.catch$/.test(plainText(parent, text))) return true;
    const condition = /^(?:if|unless)/.test(parent.kind) ? childOf(parent, 'condition') : null;
    if (condition !== null && condition !== each && ASKS.test(plainText(condition, text))) return true;
  }
  return false;
}
