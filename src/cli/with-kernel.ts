import { escapeTerminal } from '../lib/text/escape-terminal.ts';
import type { CliServices } from './command-line/cli-command.ts';
import type { KernelClient } from './kernel-client/kernel-client.ts';
import type { OpenProject } from './open-project.ts';

/**
 * Calls the project's kernel and always disconnects afterwards. If a kernel has to be started, that is reported on stderr. Throws what
 * `connectKernel` throws.
 */
export async function withKernel<T>(
  opened: OpenProject,
  { env, output, connect }: CliServices,
  allowRoot: boolean,
  ask: (client: KernelClient) => Promise<T>,
): Promise<T> {
  const kernel = await connect(opened, {
    env,
    allowRoot,
    onEvent: () => undefined,
    onProgress: (text) => output.stderr(`  ${escapeTerminal(text)}\n`),
  });
  try {
    return await ask(kernel.client);
  } finally {
    kernel.close();
  }
}
