import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { userDirs } from '../../src/contracts/host-layout.ts';
import { findPhp } from '../../src/host/toolchains/php.ts';
import type { Toolchain } from '../../src/host/toolchains/toolchain.ts';
import { toolchainEnv } from './toolchain-env.ts';

/** The PHP of this machine, as sandboxes see it; null where it has none, and then its tests are skipped. */
export async function phpToolchain(): Promise<Toolchain | null> {
  const caches = join(userDirs(process.env).stateHome, 'toolchains');
  return findPhp({ projectRoot: '/nowhere', env: toolchainEnv(), caches, onProgress: () => undefined });
}

/** Whether it has an extension that counts lines: PHP itself does not. */
export function countsLines(php: Toolchain | null): boolean {
  const [directory] = php?.forTests.path ?? [];
  if (directory === undefined) return false;
  return /^(?:pcov|xdebug)$/im.test(execFileSync(join(directory, 'php'), ['-m'], { encoding: 'utf8' }));
}
