import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { readImageManifest } from '../images/image-records.ts';
import { askingText, firstLine, miseVersion } from './asked-version.ts';
import { isElf } from './copied-program.ts';
import { settingsText } from './paths.ts';
import type { ToolchainNote } from './toolchain.ts';
import { pythonVersionDirectories, virtualenvPlaces } from './version-places.ts';
import type { PYTHON_FILES } from './version-places.ts';

export interface PythonOptions {
  readonly projectRoot: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stateHome: string;
}

interface AskedPython {
  /** The file that names it. */
  readonly place: string;
  /** As it is written. */
  readonly text: string;
  /** `3.12`. */
  readonly minor: string;
}

/** A longer text is no version. */
const MAX_VERSION = 40;

/** Files that select a project's Python, in order of precedence. */
const PLACES: readonly { readonly file: (typeof PYTHON_FILES)[number]; readonly read: (text: string) => string }[] = [
  { file: '.python-version', read: firstLine },
  { file: '.tool-versions', read: (text) => /^[ \t]*python[ \t]+(\S+)/m.exec(text)?.[1] ?? '' },
  { file: 'mise.toml', read: (text) => miseVersion(text, ['python']) },
  { file: '.mise.toml', read: (text) => miseVersion(text, ['python']) },
];

/** The note if the tests of a project run with another Python than its root requests; null if not. Nothing of the project is executed. */
export async function pythonNote(options: PythonOptions): Promise<ToolchainNote | null> {
  const asked = await askedPython(options.projectRoot);
  if (asked === null) return null;
  const own = await virtualenvOf(options);
  const used = own === null ? await imagePython(options.stateHome) : own.minor;
  if (used === null || used === asked.minor) return null;
  const program = await installedPython(asked.minor, options.env);
  const make = `make a virtual environment with it (${program ?? `python${asked.minor}`} -m venv .venv), and install the packages there`;
  const gone = own === null ? '' : `remove ${own.name}, `;
  return {
    level: 'warn',
    what: `${asked.place} asks for Python ${asked.text}; tests and commands run with Python ${used}`,
    why: `They run with the interpreter of the virtual environment, and ${own === null ? 'there is none' : `${own.name} was made with Python ${used}`}`,
    fix:
      program === null
        ? `install Python ${asked.minor} (pyenv install ${asked.minor}), ${gone}${make}; or run fluffy image use python:${asked.minor}`
        : `${gone}${make}`,
  };
}

async function askedPython(projectRoot: string): Promise<AskedPython | null> {
  for (const { file, read } of PLACES) {
    const text = read(await askingText(join(projectRoot, file)));
    const minor = minorOf(text.replace(/^c?python-?/, ''));
    if (minor !== null) return { place: file, text, minor };
  }
  return null;
}

/** Words such as `system`, and other implementations of Python, are no version. */
function minorOf(text: string): string | null {
  return text.length > MAX_VERSION ? null : (/^(3\.\d+)(?:$|[.+a-z-])/.exec(text)?.[1] ?? null);
}

/** The virtual environment that tests use: the project's, or else the active one outside of it. */
async function virtualenvOf({
  projectRoot,
  env,
}: PythonOptions): Promise<{ readonly name: string; readonly minor: string | null } | null> {
  for (const { name, settings: path } of virtualenvPlaces(projectRoot, env)) {
    const settings = await settingsText(path);
    if (settings !== null) return { name, minor: minorOf(/^version(?:_info)?\s*=\s*(\S+)/m.exec(settings)?.[1] ?? '') };
  }
  return null;
}

/** The Python of fluffy's own images if they are made from this host; null if unknown. */
async function imagePython(stateHome: string): Promise<string | null> {
  const { images } = await readImageManifest(stateHome);
  const paths = images['base']?.inputs?.map(({ path }) => path) ?? [];
  return paths.flatMap((path) => /^\/usr\/bin\/python(3\.\d+)$/.exec(path)?.[1] ?? [])[0] ?? null;
}

/** The newest Python of this version that a version manager has installed; null if there is none. */
async function installedPython(minor: string, env: PythonOptions['env']): Promise<string | null> {
  for (const directory of pythonVersionDirectories(env)) {
    const names = (await readdir(directory).catch(() => [])).filter(
      (name) => minorOf(name.replace(/^cpython-/, '')) === minor,
    );
    for (const name of names.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))) {
      const program = join(directory, name, 'bin/python3');
      const real = await realpath(program).catch(() => null);
      if (real !== null && (await isElf(real))) return program;
    }
  }
  return null;
}
