import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { z } from 'zod';
import { PACKAGE_MANAGERS } from '../../src/contracts/sandbox/package-managers.ts';
import { VIRTUAL_ENVIRONMENT_PROGRAMS } from '../../src/contracts/sandbox/virtual-environments.ts';
import { shellRunInputSchema } from '../../src/contracts/model/tool-call.ts';
import type { CommandResult, ShellRunResult } from '../../src/contracts/model/tool-call.ts';
import { ToolFailure, defineTool, workspacePath } from '../sdk/index.ts';
import { activePython } from './active-python.ts';
import { linkGoCache } from '../sdk/link-go-cache.ts';
import type { CommandExit, ToolContext } from '../sdk/index.ts';

/** For all commands of a call: what does not fit into one message would lose the whole answer. */
const MAX_OUTPUT_BYTES = 1024 * 1024;
const NAMES_GO = /\b(?:go|make|golangci-lint|staticcheck)\b/;
/** Where package managers put the programs of a project. */
const PROGRAM_DIRECTORIES = ['node_modules/.bin', ...VIRTUAL_ENVIRONMENT_PROGRAMS];

type Toolchains = z.infer<typeof shellRunInputSchema>['toolchains'];

/** Programs with their arguments, in the workspace, one after the other until one fails. No shell reads the arguments. */
export const shellRunTool = defineTool(
  {
    name: 'shell.run',
    description: 'Runs programs with exactly these arguments in the project, one after the other.',
    input: shellRunInputSchema,
    outputMode: 'full',
  },
  async ({ commands, cwd, stdin, timeout_ms, toolchains }, context): Promise<ShellRunResult> => {
    const directory = await workspacePath(context.workspace, cwd, 'followed');
    const directories = upwards(context.workspace, directory);
    const python = await activePython(directories);
    const env = {
      ...context.env,
      ...(python === null ? {} : { VIRTUAL_ENV: python.home }),
      ...toolchains?.env,
      ...(await writableGoCache(toolchains?.env['GOCACHE'], commands)),
      ...installedModules(context.workspace),
      PATH: searchPath(context, directories, python?.path, toolchains),
    };
    const maxOutputBytes = Math.floor(MAX_OUTPUT_BYTES / commands.length);
    const results: CommandResult[] = [];
    let leftMs = timeout_ms;
    for (const command of commands) {
      const options = { cwd: directory, env, timeoutMs: Math.max(1, leftMs), maxOutputBytes };
      const result = await context.run(command, { ...options, ...(stdin === undefined ? {} : { stdin }) });
      leftMs -= result.durationMs;
      results.push({
        exit: exitOnWire(result.exit),
        stdout: result.stdout,
        stderr: result.stderr,
        truncated: result.truncated,
        duration_ms: result.durationMs,
      });
      if (result.exit.kind !== 'exited' || result.exit.code !== 0) break;
    }
    return { results };
  },
);

/** Go writes to its build cache, and the host's is read-only: a cache of links to it, where a command names Go, since making it takes a moment. */
async function writableGoCache(
  from: string | undefined,
  commands: readonly (readonly string[])[],
): Promise<{ GOCACHE?: string }> {
  if (from === undefined) return {};
  const target = await mkdtemp(join(tmpdir(), 'go-cache-'));
  if (commands.flat().some((word) => NAMES_GO.test(word))) linkGoCache(from, target);
  return { GOCACHE: target };
}

/** The modules of a layer take the place of the host's module cache. */
function installedModules(workspace: string): { GOMODCACHE?: string } {
  const directory = join(workspace, PACKAGE_MANAGERS.go.directory);
  return existsSync(directory) ? { GOMODCACHE: directory } : {};
}

/** A directory of the workspace, and those above it. */
function upwards(workspace: string, directory: string): readonly string[] {
  const directories = [directory];
  for (let at = directory; at !== workspace && at !== dirname(at);) {
    at = dirname(at);
    directories.push(at);
  }
  return directories;
}

/**
 * Python of the project's virtual environment, and its own Node; then the system's programs, so that a rule that names one means that one; then those of the host's toolchains;
 * then the project's, of the directory and of those above it.
 */
function searchPath(
  { env }: ToolContext,
  directories: readonly string[],
  python: string | undefined,
  toolchains: Toolchains,
): string {
  const own = directories.flatMap((each) => PROGRAM_DIRECTORIES.map((name) => join(each, name)));
  return [python ?? '', ...(toolchains?.first ?? []), env['PATH'] ?? '', ...(toolchains?.path ?? []), ...own]
    .filter((part) => part !== '')
    .join(delimiter);
}

function exitOnWire(exit: CommandExit): CommandResult['exit'] {
  switch (exit.kind) {
    case 'exited':
    case 'signalled':
    case 'not-started':
      return exit;
    case 'timed-out':
      return { kind: 'timed-out', after_ms: exit.afterMs };
    case 'cancelled':
      throw new ToolFailure('cancelled', 'The command was cancelled.');
  }
}
