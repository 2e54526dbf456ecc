import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { firstText } from '../../../lib/text/first-last.ts';

/** Where /usr/bin/python3 finds what the system's packages install. */
const PARENTS = ['/usr/lib', '/usr/local/lib'];

export interface PackageFile {
  /** Relative to the packages' directory. */
  readonly path: string;
  readonly source: string;
}

/**
 * The files of pure Python packages of the host's own python3, by import name; [] if it lacks the first of them. `parents` are the directories that
 * contain `python3*` with `dist-packages` or `site-packages`.
 */
export async function hostPythonPackages(
  names: readonly string[],
  parents: readonly string[] = PARENTS,
): Promise<PackageFile[]> {
  for (const directory of await packageDirectories(parents)) {
    const present = await readdir(directory);
    if (!present.includes(firstText(names))) continue;
    const wanted = present.filter((entry) => names.some((name) => belongsTo(entry, name)));
    const files = await Promise.all(wanted.map((entry) => filesOf(directory, entry)));
    return files.flat();
  }
  return [];
}

async function packageDirectories(parents: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const parent of parents) {
    const versions = (await readdir(parent).catch(() => [])).filter((name) => /^python3(\.\d+)?$/.test(name)).sort();
    for (const version of versions)
      for (const kind of ['dist-packages', 'site-packages']) {
        const directory = join(parent, version, kind);
        if ((await stat(directory).catch(() => undefined))?.isDirectory() === true) found.push(directory);
      }
  }
  return found;
}

/** The package, its single module, or its metadata, by which plug-ins and versions are found. */
function belongsTo(entry: string, name: string): boolean {
  if (entry === name || entry === `${name}.py`) return true;
  return entry.toLowerCase().startsWith(`${name}-`) && /\.(dist|egg)-info$/.test(entry);
}

async function filesOf(directory: string, entry: string): Promise<PackageFile[]> {
  const path = join(directory, entry);
  if ((await stat(path)).isFile()) return [{ path: entry, source: path }];
  const items = await readdir(path, { recursive: true, withFileTypes: true });
  return items
    .filter((item) => item.isFile() && !item.parentPath.includes('__pycache__'))
    .map((item) => join(item.parentPath, item.name))
    .map((source) => ({ path: relative(directory, source), source }));
}
