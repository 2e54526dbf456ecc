import { z } from 'zod';
import { IN_L2 } from '../../src/contracts/sandbox/container-paths.ts';
import { toolCallSchema } from '../../src/contracts/model/tool-call.ts';
import type { ToolCall } from '../../src/contracts/model/tool-call.ts';
import { RpcFailure, connectPeer } from '../../src/ipc/index.ts';
import type { RpcPeer } from '../../src/ipc/index.ts';
import { createToolContext } from './tool-context.ts';
import { ToolFailure } from './tool-failure.ts';
import type { ToolDefinition, ToolHandler, ToolPlugin } from './tool-plugin.ts';

export interface ServeOptions {
  /** Default: the kernel's socket as every sandbox mounts it. */
  readonly socketPath?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Connects to the kernel, answers its calls, and returns when the kernel hangs up. Throws when there is no kernel to talk to. */
export async function serve(plugin: ToolPlugin, options: ServeOptions = {}): Promise<void> {
  const env = options.env ?? definedEntries(process.env);
  const peer = await connectPeer(options.socketPath ?? IN_L2.kernelSocket, {
    hello: { plugin_name: plugin.name, plugin_version: String(plugin.version) },
    onPeer: (connected) => register(connected, plugin, env),
  });
  await peer.closed;
}

function register(peer: RpcPeer, plugin: ToolPlugin, env: Readonly<Record<string, string>>): void {
  const handlers = plugin.handlers();
  for (const definition of plugin.tools()) {
    const handler = handlers[definition.name];
    if (handler === undefined) throw new Error(`${plugin.name} has no handler for ${definition.name}`);
    peer.onRequest(definition.name, toolCallSchema, (call, { signal }) =>
      answer({ pluginName: plugin.name, definition, handler, env }, call, signal),
    );
  }
}

interface ServedTool {
  readonly pluginName: string;
  readonly definition: ToolDefinition;
  readonly handler: ToolHandler;
  readonly env: Readonly<Record<string, string>>;
}

async function answer(tool: ServedTool, call: ToolCall, signal: AbortSignal): Promise<unknown> {
  const { pluginName, definition, handler, env } = tool;
  const input = definition.input.safeParse(call.input);
  if (!input.success) throw RpcFailure.refused('invalid_input', z.prettifyError(input.error));
  try {
    const result = await handler(input.data, createToolContext({ call: call.context, pluginName, env, signal }));
    const { capability } = call.context;
    return capability === undefined ? result : { result: result ?? null, capability: { ...capability, use: 1 } };
  } catch (error) {
    if (error instanceof ToolFailure) throw RpcFailure.refused(error.code, error.message);
    throw RpcFailure.refused('sandbox_failed', `${definition.name} failed: ${describe(error)}`);
  }
}

/** Its own file system errors are of use to the model: they speak of the workspace and of nothing else. */
function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function definedEntries(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
