import { posix } from 'node:path';
import type { ProjectPath } from '../../../contracts/ids.ts';
import type { ViewEntry, Workspace } from '../../../contracts/ports/workspace.ts';
import type { TestCase } from '../../../contracts/sandbox/test-run.ts';
import { decodeUtf8 } from '../../../lib/text/decode-utf8.ts';
import { firstText } from '../../../lib/text/first-last.ts';
import { pathInside } from '../../runners/missing-module.ts';
import { canExport, javascriptStandIn, withJavascriptStandIns } from './javascript-stand-in.ts';
import { withPythonStandIn } from './python-stand-in.ts';
import { silentJavascript, withSilentPython } from './silent-stand-in.ts';
import { phpStandIn, withPhpType } from './php-stand-in.ts';
import { rubyStandIn, withRubyStandIn } from './ruby-stand-in.ts';
import { textEntry } from '../views/text-entry.ts';

const MAX_BYTES = 1024 * 1024;
const JAVASCRIPT = new Set(['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.jsx', '.tsx']);

/**
 * `throwing`: throws when it is used. `silent`: returns another stand-in when it is used, for files that use it outside
 * of their cases.
 */
export type StandInForm = 'throwing' | 'silent';

/** A test file that did not load, and the stand-ins so far. */
export interface Lacking {
  readonly projectRoot: string;
  readonly failed: TestCase;
  readonly form: StandInForm;
  /** Stand-ins that the run already had, by path. */
  readonly planted: ReadonlyMap<string, ViewEntry>;
}

/**
 * Returns the view entries that let a test file load although a module or export does not exist yet. Empty if no
 * stand-in can be made. `workspace` is the view of the run without `planted`.
 */
export async function standInsFor(
  workspace: Workspace,
  { projectRoot, failed, form, planted }: Lacking,
): Promise<ViewEntry[]> {
  const missing = failed.failure?.missing;
  const path = missing === undefined ? null : pathInside(projectRoot, failed.file, missing.specifier);
  if (path === null) return [];
  const tests = await textAt(workspace, failed.file);
  if (tests === null) return [];
  if (posix.extname(failed.file) === '.rb') return [rubyEntry(failed.file, path, tests)];
  if (posix.extname(failed.file) === '.php') return phpEntries(failed, path, textOf(planted.get(failed.file)) ?? tests);
  if (posix.extname(failed.file) === '.py') return pythonEntries(workspace, path, form);
  if (!JAVASCRIPT.has(posix.extname(path)) || !JAVASCRIPT.has(posix.extname(failed.file))) return [];
  const name = missing?.export;
  if (name === undefined) {
    const target = posix.extname(path) === '' ? `${path}${endingBeside(failed.file)}` : path;
    const write = form === 'silent' ? silentJavascript : javascriptStandIn;
    return [textEntry(target, write(tests, await moduleForm(workspace, target, tests)))];
  }
  const source = textOf(planted.get(path)) ?? (await textAt(workspace, path));
  if (source === null || !canExport(name)) return [];
  // A run reports only one missing name. Other imported names that do not occur in the source are missing too.
  const others = importedFrom(tests, missing?.specifier ?? '').filter((each) => !hasWord(source, each));
  return [textEntry(path, withJavascriptStandIns(source, [...new Set([name, ...others])], form))];
}

/**
 * A test in TypeScript loads compiled files, so the new module is TypeScript too. Its loader may not compile
 * JavaScript, and Node may not be able to load that file unchanged.
 */
function endingBeside(tests: string): string {
  return /\.[cm]?tsx?$/.test(tests) ? '.ts' : '.js';
}

/** Names between the braces of an import. */
function importedFrom(tests: string, specifier: string): string[] {
  return [...tests.matchAll(/\bimport\b[^;'"]*?\{([^}]*)\}\s*from\s*['"]([^'"]+)['"]/g)].flatMap(
    ([, names = '', from = '']) =>
      posix.basename(from) === posix.basename(specifier)
        ? names.split(',').map((each) => firstText(each.trim().split(/\s+as\s+/)))
        : [],
  );
}

function hasWord(source: string, name: string): boolean {
  return !canExport(name) || source.split(/[^\p{ID_Continue}$]+/u).includes(name);
}

/**
 * The stand-in is a package, so that a missing `a.b` can follow a missing `a`. If the project or a member of it has a
 * `src` layout, the package is in `src`.
 */
async function pythonEntries(workspace: Workspace, path: string, form: StandInForm): Promise<ViewEntry[]> {
  const withStandIns = form === 'silent' ? withSilentPython : withPythonStandIn;
  const parts = path.split('/');
  const inSrc = parts.map((_, place) => ({
    root: [...parts.slice(0, place), 'src', ...parts.slice(place)].join('/'),
    package: [...parts.slice(0, place), 'src', parts[place]].join('/'),
  }));
  const roots = [path, ...inSrc.map(({ root }) => root)];
  for (const root of roots) {
    for (const file of [`${root}.py`, `${root}/__init__.py`]) {
      const source = await textAt(workspace, file);
      if (source !== null) return [textEntry(file, withStandIns(source))];
    }
  }
  const kinds = await Promise.all(inSrc.map((each) => workspace.kindOf(each.package as ProjectPath)));
  const layout = inSrc.find((_, place) => kinds[place] === 'directory');
  return [textEntry(`${layout?.root ?? path}/__init__.py`, withStandIns(''))];
}

/** A missing file becomes a new file. A missing type is declared at the start of the test file. */
function phpEntries({ file, failure }: TestCase, path: string, tests: string): ViewEntry[] {
  if (path.endsWith('.php')) return [textEntry(path, phpStandIn(tests))];
  const made = withPhpType(tests, failure?.message ?? '');
  return made === null ? [] : [textEntry(file, made)];
}

function textOf(planted: ViewEntry | undefined): string | null {
  return planted?.entry.kind === 'file' ? decodeUtf8(planted.entry.bytes) : null;
}

/** A missing file becomes a new file. A missing constant is defined when the test file uses it. */
function rubyEntry(file: string, path: string, tests: string): ViewEntry {
  return path.endsWith('.rb') ? textEntry(path, rubyStandIn(tests)) : textEntry(file, withRubyStandIn(tests));
}

/** Returns the module format that tests need to load a module from this path. */
export async function moduleForm(workspace: Workspace, path: string, tests: string): Promise<'module' | 'commonjs'> {
  return isRequired(path, tests) || (await saysCommonJs(workspace, path)) ? 'commonjs' : 'module';
}

/** Some loaders, for example jest's, cannot `require` an ES module. */
function isRequired(path: string, tests: string): boolean {
  const ending = posix.extname(path);
  return ending === '.cjs' || (ending === '.js' && /\brequire\s*\(/.test(tests) && !/^\s*import\b/m.test(tests));
}

async function saysCommonJs(workspace: Workspace, path: string): Promise<boolean> {
  if (/\.[cm]?tsx?$|\.mjs$/.test(path)) return false;
  const text = await textAt(workspace, 'package.json');
  return text !== null && /"type"\s*:\s*"commonjs"/.test(text);
}

async function textAt(workspace: Workspace, path: string): Promise<string | null> {
  const read = await workspace.read(path as ProjectPath, MAX_BYTES);
  return read.kind === 'file' ? decodeUtf8(read.bytes) : null;
}
