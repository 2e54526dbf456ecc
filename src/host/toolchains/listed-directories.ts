import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A directory of a project, with the names in it. */
export interface ListedDirectory {
  readonly path: string;
  readonly files: readonly string[];
  readonly directories: readonly string[];
}

/** Maximum depth below the project root at which files are searched. */
const MAX_DEPTH = 3;
const LEFT_OUT = new Set(['node_modules', 'vendor', 'testdata', 'target', '.git']);

/** The directories of a project in which files can request a toolchain. */
export function listProject(projectRoot: string): Promise<ListedDirectory[]> {
  return listDirectories(projectRoot, MAX_DEPTH);
}

/** The directory, and those at most `depth` levels below it. */
async function listDirectories(path: string, depth: number): Promise<ListedDirectory[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const files = entries.flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  const directories = entries.flatMap((entry) =>
    entry.isDirectory() && !LEFT_OUT.has(entry.name) ? [entry.name] : [],
  );
  const below = depth === 0 ? [] : directories;
  const deeper = await Promise.all(below.map((name) => listDirectories(join(path, name), depth - 1)));
  return [{ path, files, directories }, ...deeper.flat()];
}
