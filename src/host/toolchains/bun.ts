import { join } from 'node:path';
import { homeOf } from '../../contracts/host-layout.ts';
import { copiedProgram } from './copied-program.ts';
import type { Toolchain, ToolchainOptions } from './toolchain.ts';

/** The host's Bun: from the user's PATH, or from its installer's directory; null if there is none. */
export async function findBun(options: ToolchainOptions): Promise<Toolchain | null> {
  const { env } = options;
  const home = env['BUN_INSTALL'] ?? join(homeOf(env), '.bun');
  const directory = await copiedProgram({ name: 'bun', places: [join(home, 'bin')], beside: [] }, options);
  if (directory === null) return null;
  return { forTests: { name: 'bun', path: [directory], env: {} }, mounts: [directory] };
}
