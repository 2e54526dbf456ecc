import { join } from 'node:path';
import { userDirs } from '../../src/contracts/host-layout.ts';
import { findGo } from '../../src/host/toolchains/go.ts';
import type { Toolchain } from '../../src/host/toolchains/toolchain.ts';

/** The Go of this machine, with its library compiled where fluffy keeps it. The first time takes a minute. */
export async function goToolchain(): Promise<Toolchain> {
  const caches = join(userDirs(process.env).stateHome, 'toolchains');
  const found = await findGo({ projectRoot: '/nowhere', env: process.env, caches, onProgress: () => undefined });
  if (found === null) throw new Error('this test needs Go: in PATH, or in /usr/local/go');
  return found;
}
