import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { crateNames } from './build.ts';
import type { CargoProject, CompilerError } from './build.ts';

/** Something does not exist, or has another form than the tests use. */
const ABSENT = new Set(
  'E0026 E0061 E0063 E0107 E0277 E0308 E0369 E0405 E0407 E0412 E0422 E0423 E0424 E0425 E0432 E0433 E0531 E0532 E0560 E0576 E0583 E0599 E0603 E0609 E0616 E0624'.split(
    ' ',
  ),
);
/** The compiler does not know a type because of another error. */
const FOLLOWS = new Set(['E0282', 'E0283']);
const MAX_SOURCES = 5000;

/**
 * Whether packages of this project lack what a test file uses: each error is of that kind, and about something of them. rustc says so by a place in their
 * source, by the name of a package, or by the name of something that they declare.
 */
export function isMissingHere(project: CargoProject, testPath: string, errors: readonly CompilerError[]): boolean {
  const own = errors.filter(({ code }) => code === null || !FOLLOWS.has(code));
  if (own.length === 0) return false;
  const packages = crateNames(project);
  const source = readFileSync(testPath, 'utf8');
  const all = [...packages, 'super', 'crate'].join('|');
  const takesAll = new RegExp(`\\buse\\s+(?:::)?(?:${all})(?:::\\w+)*::(?:\\*|\\{[^}]*\\*)`).test(source);
  // What a test inside of a source asks for by its path: `super::mul`.
  const around = /\/src\//.test(testPath) ? ['super', 'crate'] : [];
  const names = new Set([...packages, ...around, ...declaredNames(project)]);
  return own.every((error) => {
    const { code, rendered, files } = error;
    if (code === null || !ABSENT.has(code)) return false;
    const places = files.map((file) => resolve(project.root, file));
    if (!places.includes(testPath)) return false;
    if (places.some((path) => path !== testPath && path.startsWith(`${project.root}/`) && existsSync(path)))
      return true;
    if (quotedNames(rendered).some((name) => names.has(name))) return true;
    return takesAll && /in this scope/.test(rendered);
  });
}

/** Names in backquotes in the message itself and in what is written under the code. */
function quotedNames(rendered: string): string[] {
  const [message = '', ...lines] = rendered.split('\n');
  const labels = lines.flatMap((line) => /^\s*\|\s*[\^\-~| ]+(.*)$/.exec(line)?.[1] ?? []);
  return [message, ...labels].flatMap((text) =>
    [...text.matchAll(/`([^`]+)`/g)].flatMap(([, quoted = '']) => quoted.match(/\w+/g) ?? []),
  );
}

/** What the sources of the packages declare. */
function declaredNames({ packages }: CargoProject): string[] {
  return packages.flatMap(({ directory }) =>
    rustFiles(join(directory, 'src')).flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/\b(?:struct|enum|trait|type|union|mod|fn)\s+(\w+)/g)].map(
        ([, name]) => name ?? '',
      ),
    ),
  );
}

function rustFiles(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.rs'))
    .slice(0, MAX_SOURCES)
    .map((entry) => join(entry.parentPath, entry.name));
}
