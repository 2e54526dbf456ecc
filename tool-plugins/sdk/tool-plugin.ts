import type { z } from 'zod';
import type { SessionMode } from '../../src/contracts/session/workflow-states.ts';
import type { RunOptions, RunResult } from './run-command.ts';

/**
 * A tool plugin: a program that runs in its own sandbox and answers the calls that the kernel sends. It works only on what the
 * sandbox mounts; its changes take effect only after the kernel has read and accepted them.
 */
export interface ToolPlugin {
  readonly name: string;
  readonly version: number;
  tools(): readonly ToolDefinition[];
  /** By tool name. */
  handlers(): Readonly<Record<string, ToolHandler>>;
}

export interface ToolDefinition {
  /** Canonical, dotted: `fs.write`. */
  readonly name: string;
  readonly description: string;
  /** Input that does not fit is answered with `invalid_input` before the handler sees it. */
  readonly input: z.ZodType;
  /** `patch`: answers with a diff and touches nothing. `full`: works on the mounted workspace, which the kernel compares. */
  readonly outputMode: 'patch' | 'full';
}

/** `input` has been parsed by the definition's schema. The result must be JSON. Throws ToolFailure for what the model should know. */
export type ToolHandler = (input: unknown, context: ToolContext) => Promise<unknown>;

export interface ToolContext {
  /** Array form only: no shell ever reads the arguments. Runs in the workspace by default. Never rejects. */
  run(command: readonly string[], options?: RunOptions): Promise<RunResult>;
  /** Paths are relative to the workspace. Links that lead out of it are refused with ToolFailure `path_refused`. */
  readFile(path: string): Promise<string>;
  writeFile(path: string, content: string): Promise<void>;
  listDir(path: string): Promise<string[]>;
  fileExists(path: string): Promise<boolean>;
  /** Where project and staging are mounted. Throws ToolFailure `sandbox_failed` in a sandbox without one. */
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
  readonly sandboxId: string;
  readonly pluginName: string;
  readonly sessionMode: SessionMode;
  /** Aborted when the kernel no longer wants the answer. */
  readonly signal: AbortSignal;
}

/** One tool with the handler that belongs to it, its input typed by its schema. */
export interface Tool {
  readonly definition: ToolDefinition;
  readonly handler: ToolHandler;
}

export function defineTool<S extends z.ZodType>(
  definition: Omit<ToolDefinition, 'input'> & { readonly input: S },
  handle: (input: z.output<S>, context: ToolContext) => Promise<unknown>,
): Tool {
  return { definition, handler: (input, context) => handle(input as z.output<S>, context) };
}

export function definePlugin(name: string, version: number, tools: readonly Tool[]): ToolPlugin {
  const handlers = Object.fromEntries(tools.map((tool) => [tool.definition.name, tool.handler]));
  return { name, version, tools: () => tools.map((tool) => tool.definition), handlers: () => handlers };
}
