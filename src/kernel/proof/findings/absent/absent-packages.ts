import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import type { Finding } from '../../../../contracts/review/proof.ts';
import { VIRTUAL_ENVIRONMENTS } from '../../../../contracts/sandbox/virtual-environments.ts';
import { oneLine } from '../../../../lib/text/one-line.ts';
import { above, childOf, childOrSelf, plainText } from '../../syntax/walk.ts';
import { addedNodes } from '../added-nodes.ts';
import type { InspectedChange, InspectedFile } from '../finding.ts';
import { lastName, literalOf } from '../names.ts';
import { provides } from './absent-modules.ts';
import type { ProjectFiles } from './absent-modules.ts';
import { isForTypes, specifierNode } from './loaded-modules.ts';
import { isOfPython } from './python-modules.ts';

/** A package that the change makes a file load, or a path with an alias (`@/engine`). */
interface LoadedPackage {
  readonly line: number;
  /** The specifier as written: `acme/engine`. */
  readonly written: string;
  /** The name of the package: `acme`. */
  readonly name: string;
}

const MAX_WORDS = 200;

/**
 * Returns findings for sources that load a package which the project does not declare or contain, if a changed test
 * names it where modules are replaced. The package may then exist only in the test. A declared package is not reported,
 * whether it is installed or not.
 */
export async function absentPackages(change: InspectedChange, files: ProjectFiles): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const source of change.sources) {
    for (const loaded of packagesOf(source)) {
      const { line, written } = loaded;
      if (!isNamedByTests(loaded, change) || (await isKnown(loaded, source, change, files))) continue;
      const words = `it loads ${written}, which the project does not declare or have, and which a test names`;
      found.push({ kind: 'absent-module', path: source.path, line, words: oneLine(words, MAX_WORDS) });
    }
  }
  return found;
}

const JAVASCRIPT = /^(?:javascript|typescript|tsx)$/;

function packagesOf(file: InspectedFile): LoadedPackage[] {
  if (JAVASCRIPT.test(file.language)) return [...addedNodes(file)].flatMap((node) => javascriptPackage(node, file));
  return file.language === 'python' ? [...addedNodes(file)].flatMap((node) => pythonPackages(node, file)) : [];
}

const BUILT_IN = new Set(builtinModules);
const NAME = /^(?:@[\w.-]+\/[\w.-]+|[a-zA-Z][\w.-]*)/;
const ALIAS = /^(?:@|~)\//;

function javascriptPackage(node: SyntaxNode, { text }: InspectedFile): LoadedPackage[] {
  const given = specifierNode(node, text);
  const written = literalOf(given, text);
  // `node:fs`, `npm:a`, `https://…`, and subpaths from `imports` in package.json (`#a`).
  if (written === null || /^[\w+-]+:|^#/.test(written)) return [];
  const name = ALIAS.exec(written)?.[0] ?? NAME.exec(written)?.[0];
  return name === undefined || BUILT_IN.has(name) ? [] : [{ line: node.line, written, name }];
}

function pythonPackages(node: SyntaxNode, { text }: InspectedFile): LoadedPackage[] {
  if (!/^import_(?:from_)?statement$/.test(node.kind) || isForTypes(node, text)) return [];
  const module = childOf(node, 'module_name');
  const names = module === null ? node.children.filter(({ field }) => field === 'name') : [module];
  return names.flatMap((each) => {
    const written = plainText(childOrSelf(each, 'name'), text);
    const [name = ''] = written.split('.');
    return name === '' || isOfPython(name) ? [] : [{ line: node.line, written, name }];
  });
}

/**
 * Whether a test names the package: in a text that is exactly its name and not part of an import, or by a file in
 * `__mocks__`.
 */
function isNamedByTests({ written, name }: LoadedPackage, { tests, testPaths }: InspectedChange): boolean {
  const bare = written.replaceAll(/^[@~]\//g, '');
  const isMocked = testPaths.some((path) => (path.split('__mocks__/')[1] ?? '').replace(/\.\w+$/, '') === bare);
  return isMocked || tests.some((test) => [...addedNodes(test)].some((node) => isName(node, test)));

  function isName(node: SyntaxNode, { text }: InspectedFile): boolean {
    const value = /string/.test(node.kind) && node.field !== 'source' ? literalOf(node, text) : null;
    if (value === null || (value !== written && value !== name)) return false;
    const call = above(node, ({ kind }) => /^call/.test(kind));
    return !/^(?:importorskip|require)$/.test(lastName(call, text));
  }
}

async function isKnown(
  loaded: LoadedPackage,
  { path, language }: InspectedFile,
  change: InspectedChange,
  files: ProjectFiles,
): Promise<boolean> {
  const parts = posix.dirname(path).split('/');
  const above = parts.map((_, index) => parts.slice(0, index + 1).join('/')).filter((each) => each !== '.');
  const directories = ['', ...above];
  const tops = ((await files.list('')) ?? []).filter((each) => !each.startsWith('.') && each !== 'node_modules');
  const roots = [...directories, ...tops, ...tops.map((each) => `${each}/src`)];
  const isPython = language === 'python';
  const tail = loaded.written.replace(ALIAS, '');
  // An alias points to a file of the project. A Python module can be a file of the project too. A JavaScript package is
  // in `node_modules`.
  if (isPython || tail !== loaded.written) {
    const places = roots.map((root) => posix.join(root, isPython ? loaded.name : tail));
    const own = places.filter((place) => !change.isTest(`${place}${posix.extname(path)}`));
    for (const place of own) if (await provides(place, change, files)) return true;
  }
  if (tail !== loaded.written) return false;
  for (const directory of directories) {
    if (!isPython && (await files.list(posix.join(directory, 'node_modules', loaded.name))) !== null) return true;
    if (await isDeclared(loaded.name, directory, isPython ? OF_PYTHON : OF_JAVASCRIPT, files)) return true;
  }
  return isPython && (await isInEnvironment(loaded.name, files));
}

const OF_JAVASCRIPT =
  /^(?:package|deno|jsr|import_?map|[tj]sconfig[\w.-]*|lerna|project|nx)\.jsonc?$|\.config\.[cm]?[jt]s$|^\.babelrc$/;
const OF_PYTHON =
  /^(?:[\w.-]*requirements[\w.-]*\.(?:txt|in)|pyproject\.toml|setup\.(?:py|cfg)|Pipfile|environment\.ya?ml|tox\.ini|requirements)$/;

async function isDeclared(name: string, directory: string, where: RegExp, files: ProjectFiles): Promise<boolean> {
  const wanted = plain(name);
  for (const each of (await files.list(directory)) ?? []) {
    if (!where.test(each)) continue;
    const path = posix.join(directory, each);
    const inside = each === 'requirements' ? ((await files.list(path)) ?? []) : [];
    for (const file of [path, ...inside.map((one) => posix.join(path, one))])
      if (plain((await files.text(file)) ?? '').includes(wanted)) return true;
  }
  return false;
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll('_', '-');
}

async function isInEnvironment(name: string, files: ProjectFiles): Promise<boolean> {
  for (const environment of VIRTUAL_ENVIRONMENTS) {
    for (const version of (await files.list(`${environment}/lib`)) ?? []) {
      const installed = (await files.list(`${environment}/lib/${version}/site-packages`)) ?? [];
      if (installed.some((each) => each === name || each.startsWith(`${name}.`))) return true;
    }
  }
  return false;
}
