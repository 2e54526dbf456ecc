/** Everything a tool plugin is written with. */
export { runCommand } from './run-command.ts';
export type { CommandExit, RunOptions, RunResult } from './run-command.ts';
export { serve } from './serve.ts';
export type { ServeOptions } from './serve.ts';
export { ToolFailure } from './tool-failure.ts';
export { definePlugin, defineTool } from './tool-plugin.ts';
export type { Tool, ToolContext, ToolDefinition, ToolHandler, ToolPlugin } from './tool-plugin.ts';
export { isWithin, workspacePath } from './workspace-path.ts';
