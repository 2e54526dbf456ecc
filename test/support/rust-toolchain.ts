import { join } from 'node:path';
import { userDirs } from '../../src/contracts/host-layout.ts';
import { findRust } from '../../src/host/toolchains/rust.ts';
import type { Toolchain } from '../../src/host/toolchains/toolchain.ts';
import { toolchainEnv } from './toolchain-env.ts';

/** The Rust of this machine, as sandboxes see it; null where it has none that rustup made, and then its tests are skipped. */
export async function rustToolchain(): Promise<Toolchain | null> {
  const caches = join(userDirs(process.env).stateHome, 'toolchains');
  const options = { projectRoot: '/nowhere', env: toolchainEnv(), caches, onProgress: () => undefined };
  return findRust(options).catch(() => null);
}
