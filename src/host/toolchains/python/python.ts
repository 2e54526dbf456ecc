import { readdir, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { homeOf } from '../../../contracts/host-layout.ts';
import { VIRTUAL_ENVIRONMENTS } from '../../../contracts/sandbox/virtual-environments.ts';
import { isElf } from '../copied-program.ts';
import type { ListedDirectory } from '../listed-directories.ts';
import { SYSTEM_DIRECTORIES, exists, isBelow, settingsText } from '../paths.ts';
import type { Toolchain, ToolchainOptions } from '../toolchain.ts';

/** A file of every virtual environment, with the directory of its interpreter. */
const SETTINGS = 'pyvenv.cfg';

/**
 * The interpreters of the project's virtual environments that a version manager has installed (pyenv, uv, mise, asdf): programs and library, at their
 * own paths. Without a virtual environment in the project, also the active one (`VIRTUAL_ENV`). null if none is needed or found.
 */
export async function findPython(
  options: ToolchainOptions,
  listed: readonly ListedDirectory[],
): Promise<Toolchain | null> {
  const { projectRoot, env } = options;
  const own = await virtualenvsIn(listed);
  const active = own.length === 0 ? await activeVirtualenv(projectRoot, env) : null;
  const prefixes = new Set<string>();
  const programs = new Map<string, string>();
  for (const virtualenv of active === null ? own : [active]) {
    const found = await interpreterOf(virtualenv, options);
    for (const prefix of found?.prefixes ?? []) prefixes.add(prefix);
    if (found !== null) programs.set(virtualenv, found.program);
  }
  const mounts = [...prefixes].flatMap((prefix) => ['bin', 'lib'].map((name) => join(prefix, name)));
  if (active !== null) mounts.push(active);
  if (mounts.length === 0) return null;
  const path = active === null ? [] : [join(active, 'bin')];
  const inRoot = VIRTUAL_ENVIRONMENTS.map((name) => join(projectRoot, name)).find((each) => own.includes(each));
  const interpreter = programs.get(active ?? inRoot ?? '');
  const forTests = { name: 'python', path, env: {}, ...(interpreter === undefined ? {} : { interpreter }) };
  return { forTests, mounts };
}

async function virtualenvsIn(listed: readonly ListedDirectory[]): Promise<string[]> {
  const paths = listed.flatMap(({ path, directories }) => directories.map((name) => join(path, name)));
  const found = await Promise.all(paths.map(async (path) => ((await exists(join(path, SETTINGS))) ? [path] : [])));
  return found.flat();
}

/** Only outside of the project, which could link to any directory. */
async function activeVirtualenv(projectRoot: string, env: ToolchainOptions['env']): Promise<string | null> {
  const named = env['VIRTUAL_ENV'];
  if (named === undefined || !isAbsolute(named)) return null;
  const real = await realpath(named).catch(() => null);
  const isApart = real !== null && !isBelow(real, projectRoot) && !isBelow(projectRoot, real);
  return isApart && (await exists(join(real, SETTINGS))) ? real : null;
}

/** Its interpreter, with its directory under every name that the virtual environment uses; null if nothing is to be mounted. */
async function interpreterOf(
  virtualenv: string,
  { projectRoot, env, onProgress }: ToolchainOptions,
): Promise<{ readonly program: string; readonly prefixes: readonly string[] } | null> {
  const program = await realpath(join(virtualenv, 'bin/python3')).catch(() => null);
  if (program === null) {
    onProgress(`${virtualenv} is not used: its interpreter no longer exists`);
    return null;
  }
  const prefix = await prefixOf(program, { projectRoot, env });
  if (prefix === null) return null;
  const settings = (await settingsText(join(virtualenv, SETTINGS))) ?? '';
  const written = /^home\s*=\s*(\/.*?)\s*$/m.exec(settings)?.[1] ?? '';
  const isSame = (await realpath(written).catch(() => null)) === dirname(program);
  const prefixes =
    isSame && resolve(written) === written && !isBelow(written, projectRoot) ? [prefix, dirname(written)] : [prefix];
  return { program, prefixes };
}

/**
 * The directory of an interpreter, a real path; null if it must not be mounted, because it has more than one Python, or is none. A project can link any directory as
 * its interpreter, and the images contain a copy of the system's.
 */
export async function prefixOf(
  program: string,
  { projectRoot, env }: Pick<ToolchainOptions, 'projectRoot' | 'env'>,
): Promise<string | null> {
  const prefix = dirname(dirname(program));
  const isShared = SYSTEM_DIRECTORIES.has(prefix) || isBelow(homeOf(env), prefix) || isBelow(projectRoot, prefix);
  return isShared || isBelow(prefix, projectRoot) || !(await isPython(program, prefix)) ? null : prefix;
}

async function isPython(program: string, prefix: string): Promise<boolean> {
  const version = /\/bin\/python(3\.\d+)t?$/.exec(program)?.[1];
  if (version === undefined || !(await isElf(program))) return false;
  const libraries = await readdir(join(prefix, 'lib')).catch(() => []);
  const standard = libraries.filter((name) => name.startsWith(`python${version}`));
  for (const name of standard) if (await exists(join(prefix, 'lib', name, 'os.py'))) return true;
  return false;
}
