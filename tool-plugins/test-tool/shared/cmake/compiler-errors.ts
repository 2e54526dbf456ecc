/** What a C or C++ compiler and the linker say of test files that are not built, and whether that is something which the project lacks. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from './source.ts';

export interface CompilerError {
  /** As the compiler has it; of the linker the object or the source. */
  readonly file: string;
  /** 0 where the linker names none. */
  readonly line: number;
  readonly message: string;
  /** With the lines that belong to it. */
  readonly rendered: string;
}

const ERROR = /^(\/[^:\n]+):(\d+)(?::\d+)?: (?:fatal )?error: (.*)$/;
const UNDEFINED = /^(?:\S*ld(?:\.\w+)?: )?(\S+?):.*undefined reference to [`']([^']+)'/;
/** Names the object that the lines below it are about. */
const OBJECT = /^(?:\S*ld(?:\.\w+)?: )?(\S+\.o): in function /;
const DETAIL = /^\s+(?:\d+ )?\|/;
const MAX_SOURCES = 5000;
const SOURCE = /\.(?:c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|h\+\+|inl|ipp|tpp)$/i;
const LEFT_OUT = new Set(['node_modules', 'build', '_deps', 'third_party', 'vendor', 'external', 'extern']);

export function compilerErrors(said: string): CompilerError[] {
  const blocks: { file: string; line: number; message: string; lines: string[] }[] = [];
  let isOpen = false;
  let last: string | null = null;
  for (const written of said.split('\n')) {
    const [, file, line = '', message = ''] = ERROR.exec(written) ?? [];
    const [, object, symbol = ''] = UNDEFINED.exec(written) ?? [];
    last = OBJECT.exec(written)?.[1] ?? last;
    if (file !== undefined) blocks.push({ file, line: Number(line), message, lines: [written] });
    else if (object !== undefined)
      blocks.push({
        file: object.endsWith('.o') ? object : (last ?? object),
        line: 0,
        message: `undefined reference to '${symbol}'`,
        lines: [written],
      });
    else if (isOpen && DETAIL.test(written)) blocks.at(-1)?.lines.push(written);
    isOpen = file !== undefined || (isOpen && DETAIL.test(written));
  }
  const seen = new Map(blocks.map(({ lines, ...each }) => [lines.join('\n'), each]));
  return [...seen].map(([rendered, each]) => ({ ...each, rendered }));
}

/** Whether an error is about this file, while this program is built: the linker names the object that was made of it, or its name alone. */
export function isAbout({ file }: CompilerError, path: string, program: string): boolean {
  if (file.startsWith('/')) return file === path;
  const name = path.split('/').at(-1) ?? path;
  return file === name || (file.includes(`${program}.dir/`) && file.endsWith(`/${name}.o`));
}

/** Whether the project lacks what tests use: each error is in one of them, and about a file or a name that is of no library. */
export function isMissingHere(
  errors: readonly CompilerError[],
  tests: readonly string[],
  { program, project }: { readonly program: string; readonly project: string },
): boolean {
  if (errors.length === 0) return false;
  const declared = declaredIn(project, tests);
  return errors.every((error) => {
    const test = tests.find((path) => isAbout(error, path, program));
    return test !== undefined && isAbsent(error, test, project, declared);
  });
}

function isAbsent(
  { message, rendered }: CompilerError,
  test: string,
  project: string,
  declared: ReadonlySet<string>,
): boolean {
  const header = /^([^:]+): No such file or directory/.exec(message)?.[1];
  if (header !== undefined) return isOwnHeader(header.trim(), test, project);
  const symbol = /^undefined reference to '(.*)'$/.exec(message)?.[1];
  if (symbol !== undefined)
    return !/^(?:std::|testing::|Catch::|doctest::|__|main$|vtable for (?:std|testing)::)/.test(symbol);
  if (/'std::|'testing::|'Catch::|'doctest::/.test(message)) return false;
  const [, name = ''] = /'(?:(?:class|struct|const|enum|union) )*(?:[\w:]+::)?~?(\w+)[^']*'/.exec(message) ?? [];
  if (
    /was not declared in this scope|has not been declared|does not name a type|is not a member of|undeclared \(first use|unknown type name|is not a class, namespace, or enumeration/.test(
      message,
    )
  )
    return includesProject(test, project) && isUsedAsDeclared(name, rendered);
  if (/implicit declaration of function/.test(message)) return includesProject(test, project);
  // There is something of that name, in another form than the test uses.
  if (
    /has no member named|no matching function for call to|too (?:few|many) arguments|is private within this context|incomplete type|no declaration matches|cannot convert/.test(
      message,
    )
  )
    return (message.match(/\w+/g) ?? []).some((word) => declared.has(word));
  return false;
}

/** Called, qualified or taken as a type: a variable of the test's own that does not exist is a mistake in it. */
function isUsedAsDeclared(name: string, rendered: string): boolean {
  if (name === '') return false;
  const source = rendered.split('\n').slice(1).join('\n');
  return new RegExp(
    `\\b${name}\\s*(?:\\(|::|<|\\{|[&*]*\\s+[&*]*\\w)|(?:::|\\b(?:new|struct|class|enum)\\s+)${name}\\b`,
  ).test(source);
}

function includesOf(text: string): { readonly quoted: boolean; readonly name: string }[] {
  return [...text.matchAll(/^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)/gm)].map(([, quoted, angle]) => ({
    quoted: quoted !== undefined,
    name: quoted ?? angle ?? '',
  }));
}

/** Whether a header could only be the project's: in quotes, or below a directory of headers that the project has. */
function isOwnHeader(name: string, test: string, project: string): boolean {
  const named = includesOf(textAt(test)).find((each) => each.name === name);
  if (named === undefined) return false;
  if (named.quoted) return true;
  const [first = ''] = name.split('/');
  return name.includes('/') && ['include', 'src', '.'].some((each) => existsSync(join(project, each, first)));
}

/** Whether a test includes something of the project: only that could have what is missing. */
function includesProject(test: string, project: string): boolean {
  const names = includesOf(textAt(test)).map(({ name }) => name);
  const places = [dirname(test), project, join(project, 'include'), join(project, 'src')];
  return (
    names.some((name) => places.some((place) => existsSync(join(place, name)))) ||
    names.some((name) => findHeader(project, name))
  );
}

function findHeader(project: string, name: string): boolean {
  return sourcesBelow(project).some((path) => path.endsWith(`/${name}`));
}

/** Names of functions, types and members in what the project has beside its tests. */
function declaredIn(project: string, tests: readonly string[]): ReadonlySet<string> {
  const texts = sourcesBelow(project)
    .filter((path) => !tests.includes(path))
    .map((path) => codeOf(textAt(path)));
  const names = texts.flatMap((text) =>
    [...text.matchAll(/\b(?:class|struct|union|enum(?:\s+class)?|namespace)\s+(\w+)|\b(\w+)\s*\(/g)].map(
      ([, type, called]) => type ?? called ?? '',
    ),
  );
  return new Set(names);
}

function sourcesBelow(directory: string, depth = 8): string[] {
  const entries = readdirSync(directory, { withFileTypes: true });
  const here = entries
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name))
    .map(({ name }) => join(directory, name));
  if (depth === 0) return here;
  const below = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !LEFT_OUT.has(entry.name))
    .flatMap(({ name }) => sourcesBelow(join(directory, name), depth - 1));
  return [...here, ...below].slice(0, MAX_SOURCES);
}

function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
