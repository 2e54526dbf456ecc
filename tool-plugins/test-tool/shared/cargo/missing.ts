import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { namesIn, receiverBefore, statementAt } from '../names-around.ts';
import { crateNames } from './build.ts';
import type { CargoProject, CompilerError } from './build.ts';
import { declaredNames, isInTests, ownNames, rustCode, takesAll } from './own-names.ts';

const codes = (listed: string): ReadonlySet<string> => new Set(listed.split(' '));

/** Something does not exist, or has another form than the tests use. */
const ABSENT = codes(
  'E0023 E0026 E0046 E0050 E0053 E0061 E0063 E0107 E0185 E0186 E0277 E0308 E0369 E0405 E0407 E0412 E0422 E0423 E0424 E0425 E0432 E0433 E0437 E0438 E0531 E0532 E0560 E0573 E0574 E0576 E0583 E0599 E0603 E0609 E0616 E0624',
);
/** A value has another type than the test needs: of a statement that uses the project. */
const MISMATCH = codes('E0277 E0308 E0369 E0600 E0604 E0605 E0606 E0607 E0608 E0614 E0618');
/** It has no such method or field: of what is asked. */
const NO_MEMBER = codes('E0599 E0609 E0610');
/** An import that was forgotten: no project has its own under these names. */
const OF_LIBRARY = /\buse std::(?:\w+::)*(?:HashMap|HashSet|BTreeMap|BTreeSet|VecDeque|Rc|Arc|RefCell|Mutex|RwLock);/;
/** The compiler does not know a type because of another error. */
const FOLLOWS = codes('E0282 E0283');

/** A place in a file of the project; `offset` in its text. */
interface Placed {
  readonly file: string;
  readonly offset: number;
  readonly isPrimary: boolean;
}

/**
 * Whether packages of this project lack what a test file uses: each error is in a file of the tests, of that kind, and about something of them, or about a value
 * that comes from them. rustc says so by a place in their source, by the name of a package, or by the name of something that they declare. `tests`: all test
 * files of the run.
 */
export function isMissingHere(
  project: CargoProject,
  testPath: string,
  tests: readonly string[],
  errors: readonly CompilerError[],
): boolean {
  const own = errors.filter(({ code }) => code === null || !FOLLOWS.has(code));
  if (own.length === 0) return false;
  // What a test inside of a source asks for by its path: `super::mul`.
  const around = /\/src\//.test(testPath) ? ['super', 'crate'] : [];
  const roots = new Set([...crateNames(project), ...around]);
  const declared = declaredNames(project);
  const isOfTests = (file: string, offset?: number): boolean =>
    file === testPath || isInTests(project, tests, file, offset);
  const usesProject = (file: string, read: (code: string) => string): boolean => {
    const code = rustCode(readFileSync(file, 'utf8'));
    const names = ownNames(code, roots, declared);
    return namesIn(read(code)).some((name) => names.has(name));
  };

  return own.every((error) => {
    const code = error.code ?? '';
    const places = placesIn(project, error);
    const primary = places.filter(({ isPrimary }) => isPrimary);
    if (primary.length === 0 || !primary.every(({ file, offset }) => isOfTests(file, offset))) return false;
    const inTests = places.filter(({ file, offset }) => isOfTests(file, offset));
    if (
      MISMATCH.has(code) &&
      inTests.some(({ file, offset }) => usesProject(file, (text) => statementAt(text, offset)))
    )
      return true;
    if (
      NO_MEMBER.has(code) &&
      primary.some(({ file, offset }) => usesProject(file, (text) => receiverAt(text, offset)))
    )
      return true;
    if (!ABSENT.has(code)) return false;
    const named = error.files.map((file) => resolve(project.root, file));
    if (named.some((file) => isOfProject(project, file) && !isOfTests(file))) return true;
    if (quotedNames(error.rendered).some((name) => roots.has(name) || declared.has(name))) return true;
    if (!/in this scope/.test(error.rendered) || OF_LIBRARY.test(error.rendered)) return false;
    return primary.every(({ file }) => takesAll(rustCode(readFileSync(file, 'utf8')), roots));
  });
}

function placesIn(project: CargoProject, { places }: CompilerError): Placed[] {
  return places.flatMap(({ file, startByte, isPrimary }) => {
    const path = resolve(project.root, file);
    if (!isOfProject(project, path)) return [];
    return [{ file: path, offset: readFileSync(path).subarray(0, startByte).toString('utf8').length, isPrimary }];
  });
}

function isOfProject({ root }: CargoProject, path: string): boolean {
  return path.startsWith(`${root}/`) && existsSync(path);
}

/** Of a method or a field. */
function receiverAt(code: string, offset: number): string {
  const dot = code.slice(0, offset).trimEnd().length - 1;
  return code[dot] === '.' ? receiverBefore(code, dot) : '';
}

/** Names in backquotes in the message itself and in what is written under the code. */
function quotedNames(rendered: string): string[] {
  const [message = '', ...lines] = rendered.split('\n');
  const labels = lines.flatMap((line) => /^\s*\|\s*[\^\-~| ]+(.*)$/.exec(line)?.[1] ?? []);
  return [message, ...labels].flatMap((text) =>
    [...text.matchAll(/`([^`]+)`/g)].flatMap(([, quoted = '']) => quoted.match(/\w+/g) ?? []),
  );
}
