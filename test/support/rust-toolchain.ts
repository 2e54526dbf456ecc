import { join } from 'node:path';
import { userDirs } from '../../src/contracts/host-layout.ts';
import { findRust } from '../../src/host/toolchains/rust.ts';
import type { Toolchain } from '../../src/host/toolchains/toolchain.ts';

/** The Rust of this machine, as sandboxes see it. */
export async function rustToolchain(): Promise<Toolchain> {
  const caches = join(userDirs(process.env).stateHome, 'toolchains');
  const found = await findRust({ projectRoot: '/nowhere', env: process.env, caches, onProgress: () => undefined });
  if (found === null) throw new Error('this test needs Rust, installed by rustup');
  return found;
}
