import type { SandboxId } from '../../src/contracts/ids.ts';
import { createToolContext } from '../../tool-plugins/sdk/tool-context.ts';
import type { ToolContext } from '../../tool-plugins/sdk/index.ts';

/** What a tool sees in a sandbox whose workspace is this directory. */
export function toolContext(workspace: string): ToolContext {
  return createToolContext({
    call: { sandbox_id: 'x_fixture00' as SandboxId, workspace, session_mode: 'strict' },
    pluginName: 'git-tool',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    signal: new AbortController().signal,
  });
}
