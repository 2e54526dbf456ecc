import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { homeOf } from '../../contracts/host-layout.ts';
import { copiedProgram } from './copied-program.ts';
import { ownDirectories } from './paths.ts';
import type { Toolchain, ToolchainOptions } from './toolchain.ts';

/** Where npm's package `deno` has the program, relative to its script. */
const BESIDE = ['linux-x64-glibc', 'linux-arm64-glibc'].flatMap((name) =>
  ['node_modules', '..'].map((above) => `${above}/@deno/${name}/deno`),
);

/**
 * The host's Deno, from the user's PATH or from its installer's directory, with the modules that it has downloaded. Nothing else of its directory is
 * shown, which also contains the input history. null if there is none.
 */
export async function findDeno(options: ToolchainOptions): Promise<Toolchain | null> {
  const { env, projectRoot } = options;
  const home = homeOf(env);
  const places = [join(env['DENO_INSTALL'] ?? join(home, '.deno'), 'bin')];
  const directory = await copiedProgram({ name: 'deno', places, beside: BESIDE }, options);
  if (directory === null) return null;
  const named = env['DENO_DIR'] ?? join(env['XDG_CACHE_HOME'] ?? join(home, '.cache'), 'deno');
  const cache = await realpath(named).catch(() => named);
  const downloads = await ownDirectories(cache, ['npm', 'remote'], projectRoot);
  const found: Readonly<Record<string, string>> = downloads.length === 0 ? {} : { DENO_DIR: cache };
  return {
    forTests: { name: 'deno', path: [directory], env: { DENO_NO_UPDATE_CHECK: '1', ...found } },
    mounts: [directory, ...downloads],
  };
}
