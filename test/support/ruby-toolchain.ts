import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { userDirs } from '../../src/contracts/host-layout.ts';
import { findRuby } from '../../src/host/toolchains/ruby.ts';
import type { Toolchain } from '../../src/host/toolchains/toolchain.ts';
import { toolchainEnv } from './toolchain-env.ts';

/** The Ruby of this machine, as sandboxes see it; null where it has none, and then its tests are skipped. */
export async function rubyToolchain(): Promise<Toolchain | null> {
  const caches = join(userDirs(process.env).stateHome, 'toolchains');
  return findRuby({ projectRoot: '/nowhere', env: toolchainEnv(), caches, onProgress: () => undefined });
}

/** Whether this Ruby finds RSpec among its gems. */
export function hasRspec(toolchain: Toolchain | null): boolean {
  if (toolchain === null) return false;
  try {
    const [bin = ''] = toolchain.forTests.path;
    execFileSync(join(bin, 'ruby'), ['-e', 'require "rspec/core"; require "rspec/expectations"'], {
      env: { ...process.env, ...toolchain.forTests.env },
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}
