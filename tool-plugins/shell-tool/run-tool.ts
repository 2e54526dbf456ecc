import { shellRunInputSchema } from '../../src/contracts/tool-call.ts';
import type { ShellRunResult } from '../../src/contracts/tool-call.ts';
import { ToolFailure, defineTool } from '../sdk/index.ts';
import type { CommandExit } from '../sdk/index.ts';

const MAX_OUTPUT_BYTES = 256 * 1024;

/** A program with its arguments, in the workspace, without input and without anybody to read its arguments a second time. */
export const shellRunTool = defineTool(
  {
    name: 'shell.run',
    description: 'Runs a program with exactly these arguments in the project. No shell reads them.',
    input: shellRunInputSchema,
    outputMode: 'full',
  },
  async ({ command, timeout_ms }, context): Promise<ShellRunResult> => {
    const result = await context.run(command, { timeoutMs: timeout_ms, maxOutputBytes: MAX_OUTPUT_BYTES });
    return {
      exit: exitOnWire(result.exit),
      stdout: result.stdout,
      stderr: result.stderr,
      truncated: result.truncated,
      duration_ms: result.durationMs,
    };
  },
);

function exitOnWire(exit: CommandExit): ShellRunResult['exit'] {
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
