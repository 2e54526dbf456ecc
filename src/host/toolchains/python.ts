import { readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { isElf } from './copied-program.ts';
import { exists, isBelow } from './paths.ts';
import type { Toolchain, ToolchainOptions } from './toolchain.ts';

/** In every virtual environment, with the directory of its interpreter. */
const SETTINGS = 'pyvenv.cfg';
const MAX_DEPTH = 3;
/** Directories with an interpreter that belongs to the whole system: the images have a copy of it. */
const SYSTEM = new Set(['/', '/usr', '/usr/local', '/opt', '/home', '/root']);

interface Interpreter {
  /** Its directory by every name that a virtual environment has for it. */
  readonly prefixes: readonly string[];
}

/**
 * The interpreters of the project's virtual environments that a version manager has installed (pyenv, uv, mise, asdf): its programs and its library, where they
 * are. Without a virtual environment in the project, the active one (`VIRTUAL_ENV`) too. null: none is needed, or there is none.
 */
export async function findPython(options: ToolchainOptions): Promise<Toolchain | null> {
  const { projectRoot, env } = options;
  const own = await virtualenvsBelow(projectRoot, MAX_DEPTH);
  const active = own.length === 0 ? await activeVirtualenv(projectRoot, env) : null;
  const prefixes = new Set<string>();
  for (const virtualenv of active === null ? own : [active])
    for (const prefix of (await interpreterOf(virtualenv, options))?.prefixes ?? []) prefixes.add(prefix);
  const mounts = [...prefixes].flatMap((prefix) => ['bin', 'lib'].map((name) => join(prefix, name)));
  if (active !== null) mounts.push(active);
  if (mounts.length === 0) return null;
  const path = active === null ? [] : [join(active, 'bin')];
  return { forTests: { name: 'python', path, env: {} }, mounts };
}

async function virtualenvsBelow(directory: string, depth: number): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const below = entries.filter(
    (entry) => entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git',
  );
  const found = await Promise.all(
    below.map(async ({ name }) => {
      const path = join(directory, name);
      if (await exists(join(path, SETTINGS))) return [path];
      return depth > 0 ? virtualenvsBelow(path, depth - 1) : [];
    }),
  );
  return found.flat();
}

/** Outside of the project, which could name any directory by a link. */
async function activeVirtualenv(projectRoot: string, env: ToolchainOptions['env']): Promise<string | null> {
  const named = env['VIRTUAL_ENV'];
  if (named === undefined || !isAbsolute(named)) return null;
  const real = await realpath(named).catch(() => null);
  const isApart = real !== null && !isBelow(real, projectRoot) && !isBelow(projectRoot, real);
  return isApart && (await exists(join(real, SETTINGS))) ? real : null;
}

async function interpreterOf(virtualenv: string, options: ToolchainOptions): Promise<Interpreter | null> {
  const { projectRoot, env, onProgress } = options;
  const program = await realpath(join(virtualenv, 'bin/python3')).catch(() => null);
  if (program === null) {
    onProgress(`${virtualenv} is not used: its interpreter no longer exists`);
    return null;
  }
  const prefix = dirname(dirname(program));
  const home = env['HOME'] ?? '/root';
  const isShared = SYSTEM.has(prefix) || isBelow(home, prefix) || isBelow(projectRoot, prefix);
  if (isShared || isBelow(prefix, projectRoot) || !(await isPython(program, prefix))) return null;
  const settings = await readFile(join(virtualenv, SETTINGS), 'utf8').catch(() => '');
  const written = /^home\s*=\s*(\/.*?)\s*$/m.exec(settings)?.[1] ?? '';
  const isSame = (await realpath(written).catch(() => null)) === dirname(program);
  return { prefixes: [...new Set([prefix, ...(isSame ? [dirname(written)] : [])])] };
}

/** A project can have a link to any directory as its interpreter. */
async function isPython(program: string, prefix: string): Promise<boolean> {
  const version = /\/bin\/python(3\.\d+)t?$/.exec(program)?.[1];
  if (version === undefined || !(await isElf(program))) return false;
  const libraries = await readdir(join(prefix, 'lib')).catch(() => []);
  const standard = libraries.filter((name) => name.startsWith(`python${version}`));
  for (const name of standard) if (await exists(join(prefix, 'lib', name, 'os.py'))) return true;
  return false;
}
