import { z } from 'zod';
import { shellRunResultSchema } from '../../contracts/tool-call.ts';
import type { ShellRunResult } from '../../contracts/tool-call.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { SHELL_TOOL } from './plugins.ts';
import { NEXT_TASK, WRITING } from './states.ts';
import { defineTool } from './tool.ts';
import type { CommandOutcome } from './tool-context.ts';

const DEFAULT_TIMEOUT_MS = 60_000;

export const shellRun = defineTool({
  name: 'shell.run',
  description: 'Run a program in a sandbox. Usually denied by policy; use the other tools.',
  input: z.strictObject({
    command: z.array(z.string().max(32_768)).min(1).max(200).describe('Program and arguments; no shell.'),
    timeout_ms: z.number().int().min(100).max(300_000).optional(),
  }),
  place: 'overlay',
  effect: 'run',
  plugin: SHELL_TOOL,
  states: WRITING,
  opens: NEXT_TASK,
  command: ({ command }) => command,
  describe: ({ command }) => command.join(' '),
  perform: ({ command, timeout_ms: timeoutMs = DEFAULT_TIMEOUT_MS }, context) =>
    context.run({ params: { command, timeout_ms: timeoutMs }, timeoutMs, outcome }),
});

function outcome(result: unknown, changed: readonly string[]): CommandOutcome | null {
  const parsed = shellRunResultSchema.safeParse(result);
  if (!parsed.success) return null;
  const { exit, stdout, stderr } = parsed.data;
  const parts = [
    describeExit(exit),
    ...(stdout === '' ? [] : [`stdout:\n${stdout}`]),
    ...(stderr === '' ? [] : [`stderr:\n${stderr}`]),
    ...(changed.length === 0 ? [] : [`changed: ${changed.join(', ')}`]),
  ];
  return {
    text: parts.join('\n'),
    summary: describeExit(exit),
    succeeded: exit.kind === 'exited' && exit.code === 0,
  };
}

function describeExit(exit: ShellRunResult['exit']): string {
  switch (exit.kind) {
    case 'exited':
      return `exited with ${exit.code}`;
    case 'signalled':
      return `ended by ${exit.signal}`;
    case 'timed-out':
      return `stopped after ${exit.after_ms} ms`;
    case 'not-started':
      return `not started: ${exit.reason}`;
    default:
      return assertNever(exit);
  }
}
