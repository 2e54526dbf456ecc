import { posix } from 'node:path';
import type { SyntaxLanguage, SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { pathInside } from '../../runners/missing-module.ts';
import type { SourceText } from '../findings/finding.ts';
import { argumentsOf, calleeOf, callsIn, literalOf } from '../findings/names.ts';
import { childOf, childOrSelf, nodesOf, textOf } from '../syntax/walk.ts';

const ENDINGS = ['.js', '.ts', '.mjs', '.mts', '.cjs', '.cts', '.jsx', '.tsx'];

/** A file that imports others, and the root of the project in the sandbox. */
export interface Importer {
  readonly path: string;
  readonly language: SyntaxLanguage;
  readonly projectRoot: string;
}

/** Pure: returns, for each import of a file, the paths in the project that it may load, most likely first. */
export function importedPaths({ root, text }: SourceText, importer: Importer): string[][] {
  switch (importer.language) {
    case 'javascript':
    case 'typescript':
    case 'tsx':
      return specifiersIn(root, text).flatMap((specifier) => {
        const files = filesOfSpecifier(specifier, importer);
        return files.length === 0 ? [] : [files];
      });
    case 'python':
      return modulesIn(root, text).map((module) => filesOfModule(module, importer));
    case 'ruby':
      return featuresIn(root, text, importer);
    case 'cpp':
      return headersIn(text, importer);
    case 'go':
    case 'rust':
    case 'java':
    case 'php':
      return [];
  }
}

/** Returns the paths that a specifier may mean, most likely first; empty if it is outside of the project. */
export function filesOfSpecifier(specifier: string, { path, projectRoot }: Importer): string[] {
  const target = pathInside(projectRoot, path, specifier);
  return target === null ? [] : javascriptFiles(target);
}

/** A TypeScript file may be imported by the name of its compiled file: `./a.js` for `a.ts`. */
function javascriptFiles(target: string): string[] {
  const ending = posix.extname(target);
  const bare = ENDINGS.includes(ending) ? target.slice(0, -ending.length) : target;
  return [target, ...ENDINGS.map((each) => `${bare}${each}`), ...ENDINGS.map((each) => `${target}/index${each}`)];
}

function specifiersIn(root: SyntaxNode, text: string): string[] {
  const imported = [...nodesOf(root)]
    .filter(({ kind }) => kind === 'import_statement' || kind === 'export_statement')
    .map((node) => childOf(node, 'source'));
  const called = callsIn(root).map((call) => {
    const callee = calleeOf(call);
    const isLoading = callee !== null && ['require', 'import'].includes(textOf(callee, text));
    return isLoading ? (argumentsOf(call)[0] ?? null) : null;
  });
  return [...imported, ...called].flatMap((node) => {
    const literal = literalOf(node, text);
    return literal === null ? [] : [literal];
  });
}

/** `require` searches `lib`, the root and the test directories; `require_relative` searches next to the file. */
function featuresIn(root: SyntaxNode, text: string, { path }: Importer): string[][] {
  return callsIn(root).flatMap((call) => {
    const name = calleeOf(call);
    const [first] = argumentsOf(call);
    const feature = literalOf(first, text);
    if (name === null || feature === null || !/^(?:require|require_relative|load)$/.test(textOf(name, text))) return [];
    const file = feature.endsWith('.rb') ? feature : `${feature}.rb`;
    if (textOf(name, text) === 'require_relative') return [[posix.join(posix.dirname(path), file)]];
    return [[`lib/${file}`, file, `test/${file}`, `spec/${file}`]];
  });
}

const HEADER = /\.(?:h|hh|hpp|hxx)$/;
const SOURCES_OF_HEADER = ['.cpp', '.cc', '.cxx', '.c'];

/**
 * Paths of a header of the project and of the source that usually belongs to it: next to the file, or in the usual
 * directories.
 */
function headersIn(text: string, { path }: Importer): string[][] {
  return [...text.matchAll(/^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]/gm)].flatMap(([, name = '']) => {
    const places = [posix.join(posix.dirname(path), name), name, `include/${name}`, `src/${name}`];
    const inside = places.filter((each) => !each.startsWith('../'));
    const stem = posix.basename(name).replace(HEADER, '');
    const sources = SOURCES_OF_HEADER.flatMap((ending) => [
      ...inside.map((each) => each.replace(HEADER, ending)),
      `src/${stem}${ending}`,
      `${stem}${ending}`,
    ]);
    return [inside, sources];
  });
}

/** `a.b`, `.b`, and for `from a import b` also `a.b`, because `b` may be a module. */
function modulesIn(root: SyntaxNode, text: string): string[] {
  return [...nodesOf(root)].flatMap((node) => {
    const names = node.children.filter(({ field }) => field === 'name').map((each) => withoutAlias(each, text));
    if (node.kind === 'import_statement') return names;
    if (node.kind !== 'import_from_statement') return [];
    const module = childOf(node, 'module_name');
    if (module === null) return [];
    const from = textOf(module, text);
    const dot = from.endsWith('.') ? '' : '.';
    return [from, ...names.map((name) => `${from}${dot}${name}`)];
  });
}

function withoutAlias(node: SyntaxNode, text: string): string {
  return textOf(childOrSelf(node, 'name'), text);
}

/** Returns the paths of a Python module, most likely first. */
export function filesOfModule(module: string, { path }: Importer): string[] {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const below = module.slice(dots).replaceAll('.', '/');
  const up = Array.from({ length: Math.max(0, dots - 1) }, () => '..').join('/');
  const base = dots === 0 ? '' : posix.join(posix.dirname(path), up);
  const roots =
    dots === 0 ? [below, `src/${below}`, posix.join(posix.dirname(path), below)] : [posix.join(base, below)];
  return roots.flatMap((root) => [`${root}.py`, `${root}/__init__.py`]);
}
