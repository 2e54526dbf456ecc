import { posix } from 'node:path';
import type { Finding } from '../../../../contracts/review/proof.ts';
import { firstText } from '../../../../lib/text/first-last.ts';
import { oneLine } from '../../../../lib/text/one-line.ts';
import { plainText } from '../../syntax/walk.ts';
import { addedNodes } from '../added-nodes.ts';
import type { InspectedChange, InspectedFile } from '../finding.ts';
import { literalOf } from '../names.ts';
import { loadedModules } from './loaded-modules.ts';
import type { LoadedModule } from './loaded-modules.ts';

/** The files of the project with the change, including files that git ignores. */
export interface ProjectFiles {
  /** Names in a directory; null if it does not exist. */
  list(directory: string): Promise<readonly string[] | null>;
  isIgnored(path: string): Promise<boolean>;
  /** null if the file does not exist or is not text. */
  text(path: string): Promise<string | null>;
}

const MAX_WORDS = 200;

/**
 * Returns findings for sources that load a module which no file of the project provides. Only a test can provide such a
 * module: by a virtual mock, in a list of loaded modules, or as a file that it writes. A module that git ignores is not
 * reported, because a tool may generate it. An optional module is reported only if a test names it.
 */
export async function absentModules(change: InspectedChange, files: ProjectFiles): Promise<Finding[]> {
  const found = await Promise.all(
    change.sources.flatMap((source) => loadedModules(source).map((module) => lookFor(module, source))),
  );
  return found.filter((each) => each !== null);

  async function lookFor(module: LoadedModule, source: InspectedFile): Promise<Finding | null> {
    if (module.isOptional && !change.tests.some((test) => namesModule(test, module))) return null;
    if (!(await isAbsent(module, source, change, files))) return null;
    const words = `it loads ${module.written}, and no file of the project is this module`;
    return { kind: 'absent-module', path: source.path, line: module.line, words: oneLine(words, MAX_WORDS) };
  }
}

async function isAbsent(
  module: LoadedModule,
  { path, language }: InspectedFile,
  change: InspectedChange,
  files: ProjectFiles,
): Promise<boolean> {
  const isIgnoring = change.sourcePaths.some((each) => posix.basename(each) === '.gitignore');
  const places = language === 'python' ? await belowPackages(module.places, path, files) : module.places;
  if (places.length === 0) return false;
  for (const place of places) {
    if (await provides(place, change, files)) return false;
    if (module.isName && (await hasName(place, files))) return false;
    // Only paths that were ignored before count. Otherwise the change could add its missing module to .gitignore.
    if (!isIgnoring && (await isAnyIgnored(place, files))) return false;
  }
  return true;
}

/**
 * The places inside packages of the project. Only a package with `__init__.py` shows that its modules belong to the
 * project; a plain directory may have the same name as an installed package.
 */
async function belowPackages(places: readonly string[], from: string, files: ProjectFiles): Promise<readonly string[]> {
  const found: string[] = [];
  for (const place of places) {
    const init = await files.text(`${posix.dirname(place)}/__init__.py`);
    const isBeside = posix.dirname(from) === posix.dirname(place) || from.startsWith(`${posix.dirname(place)}/`);
    const isOpen = init !== null && /\b(?:extend_path|__path__|declare_namespace)\b/.test(init);
    if (isOpen) return [];
    if (init !== null || (places.length === 1 && isBeside)) found.push(place);
  }
  return found;
}

const ENDING = /\.(?:[cm]?[jt]sx?|rb|py|php)$/;
const REST =
  /^(?:\.(?:ios|android|native|web|windows|macos|server|client|node|browser|d|global|module|cpython-[\w-]+|cp\d+-\w+|abi3))?\.(?!(?:md|txt|rst|map|snap|orig|bak)$)\w+$/;
const OF_TESTS = /\.(?:test|spec|stories)\.\w+$/;

/**
 * Returns whether a file or directory provides the module: it has the name of the module and any extension of code or
 * data.
 */
export async function provides(
  place: string,
  { sources, isTest }: InspectedChange,
  files: ProjectFiles,
): Promise<boolean> {
  const directory = posix.dirname(place);
  const names = (await files.list(directory === '.' ? '' : directory)) ?? [];
  const stem = posix.basename(place);
  const bare = stem.replace(ENDING, '');
  const isNew = (path: string): boolean => sources.some((each) => each.path === path && each.before === null);
  for (const name of names) {
    const path = posix.join(directory, name);
    const isOwn = name === stem || restOf(name, stem) || restOf(name, bare);
    if (!isOwn) continue;
    // A new declaration file contains only types, so it is not a module.
    if (name.endsWith('.d.ts') && isNew(path)) continue;
    const inside = name === stem ? await files.list(path) : null;
    if (inside === null || inside.some((each) => !OF_TESTS.test(each) && !isTest(posix.join(path, each)))) return true;
  }
  // `.` and `..` are existing directories.
  return stem === '.' || stem === '..' || place === '.';
}

function restOf(name: string, stem: string): boolean {
  return name.startsWith(`${stem}.`) && REST.test(name.slice(stem.length));
}

/** Whether `__init__.py` of the package defines the name: `from . import version`. */
async function hasName(place: string, files: ProjectFiles): Promise<boolean> {
  const init = await files.text(posix.join(posix.dirname(place), '__init__.py'));
  return (
    init !== null &&
    (/\b__getattr__\b|import\s+\*/.test(init) || new RegExp(`\\b${posix.basename(place)}\\b`).test(init))
  );
}

const GENERATED = [
  '',
  '.js',
  '.ts',
  '.tsx',
  '.mjs',
  '.cjs',
  '.json',
  '.py',
  '.so',
  '.rb',
  '.php',
  '/index.js',
  '/index.ts',
];

async function isAnyIgnored(place: string, files: ProjectFiles): Promise<boolean> {
  const bare = place.replace(ENDING, '');
  const paths = new Set([place, ...GENERATED.map((each) => `${bare}${each}`)]);
  for (const path of paths) if (await files.isIgnored(path)) return true;
  return false;
}

/**
 * Whether the change adds a text to a test that ends with the name of the module: `jest.mock('../src/engine')`,
 * `sys.modules['shop.engine']`.
 */
function namesModule(test: InspectedFile, { places }: LoadedModule): boolean {
  const name = posix.basename(firstText(places)).replace(ENDING, '');
  for (const node of addedNodes(test)) {
    if (!/string/.test(node.kind)) continue;
    const written = literalOf(node, test.text) ?? plainText(node, test.text);
    if (written.replace(ENDING, '').split(/[/.]/).at(-1) === name) return true;
  }
  return false;
}
