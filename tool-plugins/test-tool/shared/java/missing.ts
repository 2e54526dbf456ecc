/** What javac says of test files that do not compile, as Maven prints it, and whether that is something which the project lacks. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface JavaError {
  readonly file: string;
  readonly line: number;
  readonly message: string;
  /** As Maven prints it, with the lines that belong to it. */
  readonly rendered: string;
}

/** What the sources of the project declare, by simple names, and the packages that they are in. */
export interface Declared {
  readonly types: ReadonlySet<string>;
  readonly packages: readonly string[];
}

const ERROR = /^\[ERROR\] (\/[^\n]*\.java):\[(\d+)(?:,\d+)?\] (.*)$/;
const DETAIL = /^(?:\[ERROR\])?\s{2,}\S/;
const MAX_SOURCES = 5000;
/** Of a type of the project: there is something of that name, in another form than the test uses. */
const OTHER_FORM =
  /cannot be applied to given types|no suitable (?:method|constructor)|has private access in|is not public in/;

/** Each error once: Maven repeats them when it sums up. */
export function javaErrors(said: string): JavaError[] {
  const blocks: string[][] = [];
  let isOpen = false;
  for (const line of said.split('\n')) {
    if (ERROR.test(line)) blocks.push([line]);
    else if (isOpen && DETAIL.test(line)) blocks.at(-1)?.push(line);
    isOpen = ERROR.test(line) || (isOpen && DETAIL.test(line));
  }
  const rendered = new Set(blocks.map((lines) => lines.join('\n')));
  return [...rendered].map((block) => {
    const [, file = '', line = '', message = ''] = ERROR.exec(block.split('\n')[0] ?? '') ?? [];
    return { file, line: Number(line), message, rendered: block };
  });
}

/** Whether the project lacks what tests use: each error is in one of them, and about a package, a type or a member of the project. */
export function isMissingHere(errors: readonly JavaError[], tests: readonly string[], declared: Declared): boolean {
  return errors.length > 0 && errors.every((error) => tests.includes(error.file) && isAbsent(error, declared));
}

function isAbsent({ file, message, rendered }: JavaError, declared: Declared): boolean {
  const absentPackage = /^package ([\w.]+) does not exist/.exec(message)?.[1];
  if (absentPackage !== undefined) return isOwnPackage(absentPackage, declared) || isOuterType(absentPackage, file);
  if (OTHER_FORM.test(message)) return (rendered.match(/\w+/g) ?? []).some((word) => declared.types.has(word));
  if (!/cannot find symbol/.test(message)) return false;
  const [, kind = '', name = ''] = /symbol: +(\w+) (\w+)/.exec(rendered) ?? [];
  const [, , place = ''] = /location: +(?:variable \w+ of type|(\w+)) ([\w.]+)/.exec(rendered) ?? [];
  if (/location: +package /.test(rendered)) return isOwnPackage(place, declared);
  const simple = place.split('.').at(-1) ?? '';
  if (declared.types.has(simple)) return true;
  // Of the package of the test, since no import names another.
  const isType = kind === 'class' || /^[A-Z]/.test(name);
  return isType && /^location|location: +(?:class|interface|enum)/m.test(rendered) && !isImported(file, name);
}

/** `Order` of `Order.Line`: javac takes a type that is missing for a package. */
function isOuterType(name: string, file: string): boolean {
  const [outer = ''] = name.split('.');
  return /^[A-Z]/.test(outer) && !isImported(file, outer);
}

function isImported(file: string, name: string): boolean {
  return new RegExp(`^\\s*import\\s[\\w.\\s]*\\.${name}\\s*;`, 'm').test(readFileSync(file, 'utf8'));
}

function isOwnPackage(name: string, { packages }: Declared): boolean {
  return packages.some((each) => name === each || name.startsWith(`${each}.`) || each.startsWith(`${name}.`));
}

/** Of the sources of Maven modules, tests left out. */
export function declaredIn(modules: readonly string[]): Declared {
  const texts = modules.flatMap((module) =>
    javaFiles(join(module, 'src/main')).map((path) => readFileSync(path, 'utf8')),
  );
  const all = (pattern: RegExp): string[] =>
    texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name));
  return {
    types: new Set(all(/\b(?:class|interface|enum|record)\s+(\w+)/g)),
    packages: [...new Set(all(/^\s*package\s+([\w.]+)\s*;/gm))],
  };
}

function javaFiles(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.java'))
    .slice(0, MAX_SOURCES)
    .map((entry) => join(entry.parentPath, entry.name));
}
