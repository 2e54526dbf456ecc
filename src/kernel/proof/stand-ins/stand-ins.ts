import { posix } from 'node:path';
import type { ProjectPath } from '../../../contracts/ids.ts';
import type { ViewEntry, Workspace } from '../../../contracts/ports/workspace.ts';
import type { TestCase } from '../../../contracts/sandbox/test-run.ts';
import { decodeUtf8 } from '../../../lib/text/decode-utf8.ts';
import { pathInside } from '../../runners/missing-module.ts';
import { canExport, javascriptStandIn, withJavascriptStandIns } from './javascript-stand-in.ts';
import { withPythonStandIn } from './python-stand-in.ts';
import { silentJavascript, withSilentPython } from './silent-stand-in.ts';
import { phpStandIn, withPhpType } from './php-stand-in.ts';
import { rubyStandIn, withRubyStandIn } from './ruby-stand-in.ts';
import { textEntry } from '../views/text-entry.ts';

const MAX_BYTES = 1024 * 1024;
const JAVASCRIPT = new Set(['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.jsx', '.tsx']);

/** Throws when it is used; or answers with more of itself, for what is used before and between the cases. */
export type StandInForm = 'throwing' | 'silent';

/** What a test file lacks that did not load. */
export interface Lacking {
  readonly projectRoot: string;
  readonly failed: TestCase;
  readonly form: StandInForm;
  /** Stand-ins that the run was shown already, by path. */
  readonly planted: ReadonlyMap<string, ViewEntry>;
}

/**
 * The entries that let a test file load which did not, because of a module or an export that does not exist yet. Empty where there is none that is
 * known how to make. `workspace` is what the run was shown beside `planted`.
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
  // Each run names one of them. What the source has no word of is not exported either.
  const others = importedFrom(tests, missing?.specifier ?? '').filter((each) => !hasWord(source, each));
  return [textEntry(path, withJavascriptStandIns(source, [...new Set([name, ...others])], form))];
}

/** What loads the tests compiles this; it may leave a file of JavaScript as it is, which need not be what Node loads. */
function endingBeside(tests: string): string {
  return /\.[cm]?tsx?$/.test(tests) ? '.ts' : '.js';
}

/** Names in the brackets of an import. */
function importedFrom(tests: string, specifier: string): string[] {
  return [...tests.matchAll(/\bimport\b[^;'"]*?\{([^}]*)\}\s*from\s*['"]([^'"]+)['"]/g)].flatMap(
    ([, names = '', from = '']) =>
      posix.basename(from) === posix.basename(specifier)
        ? names.split(',').map((each) => each.trim().split(/\s+as\s+/)[0] ?? '')
        : [],
  );
}

function hasWord(source: string, name: string): boolean {
  return !canExport(name) || source.split(/[^\p{ID_Continue}$]+/u).includes(name);
}

/** A package takes modules below it, so that a missing `a.b` can follow a missing `a`. With a `src` layout, of the project or of a member of it, the package is there. */
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

/** A file that is missing becomes one; a type that is missing is made where the test file begins. */
function phpEntries({ file, failure }: TestCase, path: string, tests: string): ViewEntry[] {
  if (path.endsWith('.php')) return [textEntry(path, phpStandIn(tests))];
  const made = withPhpType(tests, failure?.message ?? '');
  return made === null ? [] : [textEntry(file, made)];
}

function textOf(planted: ViewEntry | undefined): string | null {
  return planted?.entry.kind === 'file' ? decodeUtf8(planted.entry.bytes) : null;
}

/** A file that is missing becomes one; a constant that is missing is made when the test file asks for it. */
function rubyEntry(file: string, path: string, tests: string): ViewEntry {
  return path.endsWith('.rb') ? textEntry(path, rubyStandIn(tests)) : textEntry(file, withRubyStandIn(tests));
}

/** How a module has to be written that these tests load from this path. */
export async function moduleForm(workspace: Workspace, path: string, tests: string): Promise<'module' | 'commonjs'> {
  return isRequired(path, tests) || (await saysCommonJs(workspace, path)) ? 'commonjs' : 'module';
}

/** Loaders that are no Node of today (jest's, for instance) give `require` no ES module. */
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
