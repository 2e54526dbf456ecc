import { join, relative } from 'node:path';
import { parse } from 'smol-toml';
import { type PythonRange, parsePythonSpecifier, parsePythonVersion } from '../../../lib/packages/python-range.ts';
import { askingText, firstLine, memberOf, miseVersion, textOf } from '../asked-version.ts';
import type { ListedDirectory } from '../listed-directories.ts';
import { PYTHON_FILES } from '../version-places.ts';

/** The Python that a project requests. */
export interface AskedPython {
  /** The file that names it, project-relative: `.python-version`, `pyproject.toml (requires-python)`. */
  readonly place: string;
  readonly range: PythonRange;
}

interface Place {
  readonly file: string;
  /** The relevant part of the file, for people. */
  readonly part?: string;
  readonly read: (text: string) => string;
  readonly parse: (written: string) => PythonRange | null;
}

const misePython = (text: string): string => miseVersion(text, ['python']);

/** Files that select a version, in order of precedence. */
const SELECTED: readonly (Place & { readonly file: (typeof PYTHON_FILES)[number] })[] = [
  { file: '.python-version', read: firstLine, parse: parsePythonVersion },
  {
    file: '.tool-versions',
    read: (text) => /^[ \t]*python[ \t]+(\S+)/m.exec(text)?.[1] ?? '',
    parse: parsePythonVersion,
  },
  { file: 'mise.toml', read: misePython, parse: parsePythonVersion },
  { file: '.mise.toml', read: misePython, parse: parsePythonVersion },
];

/** Manifests that name the versions with which the package works. */
const ACCEPTED: readonly Place[] = [
  ...[
    ['requires-python', 'project', 'requires-python'],
    ['poetry', 'tool', 'poetry', 'dependencies', 'python'],
  ].map(([part = '', ...keys]) => ({
    file: 'pyproject.toml',
    part,
    read: (text: string) => tomlText(text, keys),
    parse: parsePythonSpecifier,
  })),
  { file: 'Pipfile', read: (text) => tomlText(text, ['requires', 'python_version']), parse: parsePythonVersion },
  {
    file: 'setup.cfg',
    part: 'python_requires',
    read: (text) => /^python_requires\s*=\s*(.*)$/m.exec(text)?.[1] ?? '',
    parse: parsePythonSpecifier,
  },
];

/**
 * The project's request: of its root, or else of the outermost directory in which a file selects a version; null if there is none. Nothing is executed, no link is
 * followed.
 */
export async function askedPython(
  projectRoot: string,
  listed: readonly ListedDirectory[],
): Promise<AskedPython | null> {
  const inRoot = await askedIn(projectRoot, '', [...SELECTED, ...ACCEPTED]);
  if (inRoot !== null) return inRoot;
  const others = listed
    .filter(({ files }) => files.some((name) => PYTHON_FILES.some((file) => file === name)))
    .map(({ path }) => relative(projectRoot, path))
    .filter((path) => path !== '')
    .sort((a, b) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1));
  for (const directory of others) {
    const asked = await askedIn(projectRoot, directory, SELECTED);
    if (asked !== null) return asked;
  }
  return null;
}

async function askedIn(projectRoot: string, directory: string, places: readonly Place[]): Promise<AskedPython | null> {
  for (const { file, part, read, parse: parseRange } of places) {
    const written = read(await askingText(join(projectRoot, directory, file)));
    const range = written === '' ? null : parseRange(written);
    if (range !== null) return { place: join(directory, part === undefined ? file : `${file} (${part})`), range };
  }
  return null;
}

function tomlText(text: string, keys: readonly string[]): string {
  if (text === '') return '';
  try {
    return textOf(keys.reduce<unknown>((value, key) => memberOf(value, key), parse(text)));
  } catch {
    return '';
  }
}
