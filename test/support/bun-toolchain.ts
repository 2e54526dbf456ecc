import { dirname, join } from 'node:path';
import { userDirs } from '../../src/contracts/host-layout.ts';
import { findBun } from '../../src/host/toolchains/bun.ts';
import type { Toolchain } from '../../src/host/toolchains/toolchain.ts';
import { npmProgram } from './npm-program.ts';

/** The Bun that the tests know, as sandboxes see it; null where this machine cannot have it. */
export async function bunToolchain(): Promise<Toolchain | null> {
  const program = npmProgram({ name: '@oven/bun-linux-x64', version: '1.4.5', path: 'bin/bun' });
  if (program === null || process.platform !== 'linux' || process.arch !== 'x64') return null;
  const caches = join(userDirs(process.env).stateHome, 'toolchains');
  const env = { PATH: dirname(program) };
  return findBun({ projectRoot: '/nowhere', env, caches, onProgress: () => undefined });
}
