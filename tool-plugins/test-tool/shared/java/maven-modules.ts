/** The modules of a Maven project, found by their pom.xml. */
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readJunit } from '../junit.ts';
import type { ReportedResult } from '../reported-result.ts';

const LEFT_OUT = new Set(['node_modules', 'src', 'target']);
const MAX_DEPTH = 5;

/** Absolute directories with a pom.xml, at and below one. */
export function modulesBelow(directory: string, depth = MAX_DEPTH): string[] {
  const own = existsSync(join(directory, 'pom.xml')) ? [directory] : [];
  if (depth === 0) return own;
  const below = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !LEFT_OUT.has(entry.name))
    .flatMap(({ name }) => modulesBelow(join(directory, name), depth - 1));
  return [...own, ...below];
}

/** The module that a file is in; null for one outside of all. */
export function moduleOf(modules: readonly string[], path: string): string | null {
  const around = modules.filter((directory) => path.startsWith(`${directory}/`));
  return around.toSorted((one, other) => other.length - one.length)[0] ?? null;
}

/** What Maven calls a module on its command line. */
export function moduleName(root: string, module: string): string {
  const below = relative(root, module);
  return below === '' ? '.' : below;
}

/** Classes and reports of an earlier build would count as those of this one. */
export function removeBuilt(modules: readonly string[]): void {
  for (const module of modules) rmSync(join(module, 'target'), { recursive: true, force: true });
}

/** All that Surefire reports of a module, in the reports that `isWanted`. */
export function surefireResults(module: string, isWanted: (path: string) => boolean = () => true): ReportedResult[] {
  const directory = join(module, 'target/surefire-reports');
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => /^TEST-.*\.xml$/.test(name))
    .map((name) => join(directory, name))
    .filter(isWanted)
    .flatMap((path) => readJunit(readFileSync(path, 'utf8')));
}
