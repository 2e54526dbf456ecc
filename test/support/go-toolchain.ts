import { join } from 'node:path';
import { userDirs } from '../../src/contracts/host-layout.ts';
import { findGo } from '../../src/host/toolchains/go/go.ts';
import type { Toolchain } from '../../src/host/toolchains/toolchain.ts';
import { toolchainEnv } from './toolchain-env.ts';

/** The Go of this machine, with its library compiled where fluffy keeps it; null where it has none, and then its tests are skipped. The first time takes a minute. */
export async function goToolchain(): Promise<Toolchain | null> {
  const caches = join(userDirs(process.env).stateHome, 'toolchains');
  return findGo({ projectRoot: '/nowhere', env: toolchainEnv(), caches, onProgress: () => undefined });
}
