import { dirname, join } from 'node:path';
import { userDirs } from '../../src/contracts/host-layout.ts';
import { findDeno } from '../../src/host/toolchains/deno.ts';
import type { Toolchain } from '../../src/host/toolchains/toolchain.ts';
import { npmProgram } from './npm-program.ts';

/** The Deno that the tests know, as sandboxes see it; null where this machine cannot have it. */
export async function denoToolchain(): Promise<Toolchain | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const program = npmProgram({ name: '@deno/linux-x64-glibc', version: '2.9.6', path: 'deno' });
  if (program === null) return null;
  const caches = join(userDirs(process.env).stateHome, 'toolchains');
  const env = { PATH: dirname(program), DENO_DIR: '/nowhere' };
  return findDeno({ projectRoot: '/nowhere', env, caches, onProgress: () => undefined });
}
