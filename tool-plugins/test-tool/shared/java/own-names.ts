/** Which names in a Java test file are about the project. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../files-below.ts';
import { withBound } from '../names-around.ts';
import type { Binding } from '../names-around.ts';
import { readJavaSource } from './source.ts';

/** What the sources of the project declare, by simple names, and the packages that they are in. */
export interface Declared {
  readonly types: ReadonlySet<string>;
  readonly packages: readonly string[];
}

export interface OwnNames {
  /** The text with comments and literals blank. */
  readonly code: string;
  /** Types of the project, those that it lacks too, and members of them that the file imports. */
  readonly types: ReadonlySet<string>;
  /** These, and variables that are made of them. */
  readonly values: ReadonlySet<string>;
  /** Imported from elsewhere. */
  readonly foreign: ReadonlySet<string>;
  /** Whether all static members of a type of the project are imported. */
  readonly takesAllMembers: boolean;
}

/** Of more than one part: other projects have the first one too. */
const GROUP = /<groupId>\s*(\w+(?:\.\w+)+)\s*<\/groupId>/g;
const PACKAGE = /^\s*package\s+([\w.]+)\s*;/gm;
const IMPORT = /^\s*import\s+(static\s+)?([\w.\s]+?)\s*(\.\s*\*)?\s*;/gm;
const TYPED = /\b([A-Z]\w*(?:\s*\.\s*[A-Z]\w*)*(?:\s*<[^;(){}=]*>)?)(?:\s*\[\s*\])*\s+(\w+)\s*(?=[=;,):])/g;
const ASSIGNED = /\b(\w+)\s*=(?!=)([^;]*)/g;
const EACH_OF = /\bfor\s*\([^;:)]*\b(\w+)\s*:([^;{]*)/g;
const CLASS = /\b(?:class|enum|record|interface)\s+(\w+)([^{;]*)\{/g;

/** `lacking`: types that another error says are missing. */
export function ownNames(path: string, declared: Declared, lacking: ReadonlySet<string>): OwnNames {
  const { code } = readJavaSource(path, readFileSync(path, 'utf8'));
  const types = new Set([...declared.types, ...lacking]);
  const foreign = new Set<string>();
  let takesAllMembers = false;
  for (const [, isStatic, name = '', all] of code.matchAll(IMPORT)) {
    const parts = name.split('.').map((part) => part.trim());
    const last = parts.at(-1) ?? '';
    const isOwn = isOwnPackage(parts.slice(0, -1).join('.'), declared);
    if (all !== undefined) takesAllMembers ||= isStatic !== undefined && isOwn;
    else (isOwn ? types : foreign).add(last);
  }
  return { code, types, values: withBound(types, bindingsIn(code)), foreign, takesAllMembers };
}

function bindingsIn(code: string): Binding[] {
  const typed = [...code.matchAll(TYPED)].map(([, from = '', name = '']) => ({ names: [name], from }));
  const made = [...code.matchAll(ASSIGNED), ...code.matchAll(EACH_OF)].map(([, name = '', from = '']) => ({
    names: [name],
    from,
  }));
  return [...typed, ...made];
}

/** The classes in some files, each with what it is said to extend and implement. */
export function classesIn(paths: readonly string[]): Binding[] {
  return paths.flatMap((path) => {
    const { code } = readJavaSource(path, readFileSync(path, 'utf8'));
    return [...code.matchAll(CLASS)].map(([, name = '', head = '']) => ({ names: [name], from: supertypesIn(head) }));
  });
}

/** Of the head of a class. */
export function supertypesIn(head: string): string {
  return /\b(?:extends|implements)\b([^]*)$/.exec(head)?.[1] ?? '';
}

export function isOwnPackage(name: string, { packages }: Declared): boolean {
  return packages.some((each) => name === each || name.startsWith(`${each}.`) || each.startsWith(`${name}.`));
}

/** By the sources and tests of Maven modules; types by the sources alone. A new package is one below the group of the project. */
export function declaredIn(modules: readonly string[]): Declared {
  const found = (directory: 'src/main' | 'src/test', pattern: RegExp): string[] =>
    javaFiles(modules, directory).flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(pattern)].map(([, name = '']) => name),
    );
  const packages = [...new Set([...found('src/main', PACKAGE), ...found('src/test', PACKAGE)])];
  const groups = modules.flatMap((module) =>
    [...readFileSync(join(module, 'pom.xml'), 'utf8').matchAll(GROUP)].map(([, name = '']) => name),
  );
  return {
    types: new Set(found('src/main', /\b(?:class|interface|enum|record)\s+(\w+)/g)),
    packages: [...packages, ...groups.filter((group) => packages.some((each) => each.startsWith(`${group}.`)))],
  };
}

/** In a directory of each module. */
export function javaFiles(modules: readonly string[], directory: 'src/main' | 'src/test'): string[] {
  return modules.flatMap((module) => filesBelow(join(module, directory), '.java'));
}
