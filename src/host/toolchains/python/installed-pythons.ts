import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { rcompare } from 'semver';
import { prefixOf } from './python.ts';
import type { ToolchainOptions } from '../toolchain.ts';
import { pythonManagers } from '../version-places.ts';

/** A Python that a version manager of this user has installed. */
export interface InstalledPython {
  /** `3.12.1` */
  readonly version: string;
  /** The version manager, for people. */
  readonly from: string;
  /** Real absolute path of the program. */
  readonly program: string;
  /** The directory that contains its `bin` and `lib`: the real one first, then the one by which its scripts may name it. */
  readonly prefixes: readonly [string, ...string[]];
}

/** The directory of a version: of pyenv, mise and asdf, or of uv. Nothing else than CPython with its lock. */
const VERSION = /^(?:cpython-)?(3\.\d{1,3}\.\d{1,3})(?:$|-)/;

/** The Pythons of the user's version managers, newest first. Never one in the project or of another user. */
export async function installedPythons(
  place: Pick<ToolchainOptions, 'projectRoot' | 'env'>,
): Promise<readonly InstalledPython[]> {
  const found = new Map<string, InstalledPython>();
  for (const { name: from, versions } of pythonManagers(place.env)) {
    for (const entry of await readdir(versions).catch(() => [])) {
      const version = VERSION.exec(entry)?.[1];
      const named = join(versions, entry);
      const program = version === undefined ? null : await usable(join(named, 'bin/python3'));
      const prefix = program === null ? null : await prefixOf(program, place);
      if (version === undefined || program === null || prefix === null || found.has(program)) continue;
      found.set(program, { version, from, program, prefixes: prefix === named ? [prefix] : [prefix, named] });
    }
  }
  return [...found.values()].sort((a, b) => rcompare(a.version, b.version));
}

/** The real path of a program of this user or of root that no one else can write. */
async function usable(path: string): Promise<string | null> {
  const real = await realpath(path).catch(() => null);
  if (real === null) return null;
  const { uid, mode } = await stat(real);
  return (uid === 0 || uid === process.getuid?.()) && (mode & 0o002) === 0 ? real : null;
}
