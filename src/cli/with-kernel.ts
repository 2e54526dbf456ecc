import { escapeTerminal } from '../lib/escape-terminal.ts';
import { connectKernel } from './connect-kernel.ts';
import type { Output } from './output/output.ts';
import type { KernelClient } from './kernel-client/kernel-client.ts';
import type { Environment, OpenProject } from './open-project.ts';

/** Calls the project's kernel and always disconnects afterwards. A kernel that has to be started is reported on stderr. Throws what `connectKernel` throws. */
export async function withKernel<T>(
  opened: OpenProject,
  options: { readonly env: Environment; readonly allowRoot: boolean; readonly output: Output },
  ask: (client: KernelClient) => Promise<T>,
): Promise<T> {
  const kernel = await connectKernel(opened, {
    env: options.env,
    allowRoot: options.allowRoot,
    onEvent: () => undefined,
    onProgress: (text) => options.output.stderr(`  ${escapeTerminal(text)}\n`),
  });
  try {
    return await ask(kernel.client);
  } finally {
    kernel.close();
  }
}
