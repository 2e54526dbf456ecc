/** Which names in a Rust test file are about the project, and which places are of tests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../files-below.ts';
import { namesIn, withBound } from '../names-around.ts';
import type { Binding } from '../names-around.ts';
import type { CargoProject } from './build.ts';

const NO_CODE = /\/\/[^\n]*|\/\*[^]*?\*\/|\b(?:b|c)?r(#*)"[^]*?"\1|"(?:\\[^]|[^"\\])*"|'(?:\\[^\n][^'\n]*|[^'\\\n])'/g;
const USE = /\buse\s+((?:::)?\w+(?:::[^;]*)?);/g;
const LET = /\blet\s+([^=;{]+?)=(?!=)([^;]*)/g;
const EACH_OF = /\bfor\s+([^;{]+?)\s+in\s+([^;{]*)/g;
const TYPED = /\b([a-z_]\w*)\s*:(?!:)([^,;(){}=|]+)/g;
/** A module or a function that is there only for tests. */
const TEST_PART = /#\s*\[\s*(?:cfg\b[^\]]*\btest\b|[\w:\s]*\btest\b)/;
const TEST_MODULE = /(?:^|[/_])tests?\.rs$/;

/** The text with spaces in place of comments and literals; offsets are the same. */
export function rustCode(text: string): string {
  return text.replace(NO_CODE, (part) => part.replace(/[^\n]/g, ' '));
}

/** Whether a file is one of the tests, or the code at an offset of it. `tests`: all test files of the run. */
export function isInTests(
  { packages }: CargoProject,
  tests: readonly string[],
  path: string,
  offset = Number.POSITIVE_INFINITY,
): boolean {
  if (packages.some(({ directory }) => path.startsWith(`${directory}/tests/`))) return true;
  if (!tests.includes(path)) return false;
  return TEST_MODULE.test(path) || TEST_PART.test(rustCode(readFileSync(path, 'utf8')).slice(0, offset));
}

/** What a file calls things of the project: `roots` are the names of its packages and modules. Variables that are made of them too. */
export function ownNames(code: string, roots: ReadonlySet<string>, declared: ReadonlySet<string>): ReadonlySet<string> {
  const used = [...code.matchAll(USE)]
    .map(([, path = '']) => namesIn(path))
    .filter(([root = '']) => roots.has(root))
    .flatMap((path) => path.filter((name) => name !== 'self' && name !== 'as'));
  return withBound(new Set([...roots, ...used, ...(takesAll(code, roots) ? declared : [])]), bindingsIn(code));
}

/** Whether everything of one of the packages or modules can be used by its name alone. */
export function takesAll(code: string, roots: ReadonlySet<string>): boolean {
  return [...code.matchAll(USE)].some(([, path = '']) => roots.has(namesIn(path)[0] ?? '') && path.includes('*'));
}

function bindingsIn(code: string): Binding[] {
  const made = [...code.matchAll(LET), ...code.matchAll(EACH_OF)].map(([, pattern = '', from = '']) => ({
    names: namesIn(pattern.replace(/:(?!:)[^]*$/, '')).filter((name) => /^[a-z_]/.test(name)),
    from: `${pattern} ${from}`,
  }));
  const typed = [...code.matchAll(TYPED)].map(([, name = '', from = '']) => ({ names: [name], from }));
  return [...made, ...typed];
}

/** What the sources of the packages declare. */
export function declaredNames({ packages }: CargoProject): Set<string> {
  const names = packages.flatMap(({ directory }) =>
    filesBelow(join(directory, 'src'), '.rs').flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/\b(?:struct|enum|trait|type|union|mod|fn)\s+(\w+)/g)].map(
        ([, name]) => name ?? '',
      ),
    ),
  );
  return new Set(names);
}
