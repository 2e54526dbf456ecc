import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ToolCall } from '../../src/contracts/model/tool-call.ts';
import { runCommand } from './run-command.ts';
import { ToolFailure } from './tool-failure.ts';
import type { ToolContext } from './tool-plugin.ts';
import { workspacePath } from './workspace-path.ts';

export interface ContextOptions {
  readonly call: ToolCall['context'];
  readonly pluginName: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** What one call may use: what its sandbox mounts. */
export function createToolContext({ call, pluginName, env, signal }: ContextOptions): ToolContext {
  const workspace = (): string => {
    if (call.workspace !== null) return call.workspace;
    throw new ToolFailure('sandbox_failed', 'This sandbox was started without a workspace.');
  };
  const locate = (path: string): Promise<string> => workspacePath(workspace(), path, 'followed');
  return {
    run: (command, options = {}) =>
      runCommand(command, {
        env,
        signal,
        ...(call.workspace === null ? {} : { cwd: call.workspace }),
        ...options,
      }),
    readFile: async (path) => readFile(await locate(path), 'utf8'),
    writeFile: async (path, content) => {
      const target = await locate(path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, content);
    },
    listDir: async (path) => (await readdir(await locate(path))).sort(),
    fileExists: async (path) => {
      const target = await locate(path);
      return stat(target).then(
        () => true,
        () => false,
      );
    },
    get workspace() {
      return workspace();
    },
    env,
    sandboxId: call.sandbox_id,
    pluginName,
    sessionMode: call.session_mode,
    signal,
  };
}
