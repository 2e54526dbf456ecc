import { readCommandLine } from '../../../src/cli/command-line/read-command-line.ts';
import type { CommandLine } from '../../../src/cli/command-line/read-command-line.ts';
import type { RunArguments } from '../../../src/cli/run-arguments.ts';

/** A command line that names a command; throws for one that requests help. */
export async function readLine(...argv: string[]): Promise<Extract<CommandLine, { kind: 'command' }>> {
  const line = await readCommandLine(argv, '0.0.0');
  if (line.kind !== 'command') throw new Error(`it is the text ${line.text}`);
  return line;
}

/** A command line that starts a task. */
export async function readRunLine(...argv: string[]): Promise<RunArguments> {
  const line = await readLine(...argv);
  if (line.name !== '') throw new Error(`it is the command ${line.name}`);
  return line.input as RunArguments;
}
