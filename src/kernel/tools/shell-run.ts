import { z } from 'zod';
import { COMMAND_EFFECTS } from '../../contracts/policy.ts';
import { shellRunResultSchema } from '../../contracts/model/tool-call.ts';
import type { CommandResult } from '../../contracts/model/tool-call.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import type { Fields } from './shared/adapt-input.ts';
import { directoryField } from './shared/input-fields.ts';
import { SHELL_TOOL } from './plugins.ts';
import { ANY_STATE, NEXT_TASK, WRITING } from './shared/states.ts';
import { defineTool } from './tool.ts';
import type { CommandOutcome } from './tool-context.ts';

const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_TIMEOUT_MS = 600_000;
/** A timeout below this is in seconds. */
const MAX_SECONDS = 1_000;
const MAX_COMMANDS = 20;

const commandField = z.array(z.string().max(32_768)).min(1).max(200);

const inputSchema = z
  .strictObject({
    command: commandField.optional().describe('Program and arguments; no shell reads them.'),
    commands: z
      .array(commandField)
      .min(1)
      .max(MAX_COMMANDS)
      .optional()
      .describe('In place of command: several, one after the other; the first that fails is the last.'),
    script: z
      .string()
      .min(1)
      .max(32_768)
      .optional()
      .describe('In place of command: a script for sh, with pipes, variables and redirections.'),
    effects: z
      .enum(COMMAND_EFFECTS)
      .optional()
      .describe(
        'discard (default): everything it changes is thrown away. stage: changed files are staged, like fs.write; for formatters and code generators.',
      ),
    cwd: directoryField.optional().describe('Directory to run in, relative to the project.'),
    stdin: z
      .string()
      .max(1024 * 1024)
      .optional(),
    timeout_ms: z.number().int().min(100).max(MAX_TIMEOUT_MS).optional(),
  })
  .refine(
    ({ command, commands, script }) => [command, commands, script].filter((way) => way !== undefined).length === 1,
    {
      message: 'Give exactly one of command, commands and script.',
    },
  );
type ShellInput = z.infer<typeof inputSchema>;

export const shellRun = defineTool({
  name: 'shell.run',
  synonyms: [
    'bash',
    'shell',
    'sh',
    'exec',
    'run_command',
    'execute_command',
    'local_shell',
    'run_shell_command',
    'run_terminal_cmd',
    'run_commands',
    'execute_bash',
    'execute',
    'terminal',
    'command',
  ],
  description:
    'Run commands in a sandbox on a copy of the project, without network: linters, type checkers, builds, git log, one-liners. Nothing they change is kept, unless effects is stage. Programs of node_modules/.bin and .venv/bin are found by name. To run tests use test.run: only that counts.',
  input: inputSchema,
  foreign: {
    names: { command: ['cmd'], cwd: ['workdir', 'working_directory', 'dir_path'], script: ['code'] },
    idle: ['description'],
    convert: (fields) => inTheForeground(withTimeout(withScript(fields))),
  },
  place: 'overlay',
  effect: 'run',
  plugin: SHELL_TOOL,
  states: ANY_STATE,
  opens: NEXT_TASK,
  result: { maxTokens: 4_000, keep: 'tail' },
  narrows: ({ effects }) =>
    effects === 'stage'
      ? {
          states: WRITING,
          opens: 'Changes can be staged where files can be written. With effects discard it is open now.',
        }
      : null,
  touches: ({ effects }) => ({ reads: 'everything', writes: effects === 'stage' ? 'everything' : [] }),
  commands: commandsOf,
  effects: ({ effects = 'discard' }) => effects,
  describe: (input) => commandsOf(input).map(wordsOf).join('; '),
  perform: (input, context) => {
    const { effects = 'discard', cwd, stdin, timeout_ms: timeoutMs = DEFAULT_TIMEOUT_MS } = input;
    const commands = commandsOf(input);
    return context.run({
      effects,
      params: {
        commands,
        timeout_ms: timeoutMs,
        ...(cwd === undefined ? {} : { cwd }),
        ...(stdin === undefined ? {} : { stdin }),
      },
      timeoutMs,
      outcome: (result, changed) => outcomeOf(commands, result, changed),
    });
  },
});

/** A command that is one text, or several, is run by a shell, as other agents do. */
function withScript(fields: Fields): Fields {
  const { cmd, command = cmd, ...rest } = fields;
  const { commands, script } = rest;
  if (typeof command === 'string' && !isList(command) && script === undefined) return { ...rest, script: command };
  if (!Array.isArray(commands) || !commands.every((each) => typeof each === 'string')) return fields;
  return { ...fields, commands: commands.map((each) => ['sh', '-c', each]) };
}

function isList(text: string): boolean {
  const parsed = text.trimStart().startsWith('["') ? parseStrictJson(Buffer.from(text, 'utf8')) : null;
  return parsed?.ok === true && Array.isArray(parsed.value);
}

/**
 * Other agents give timeouts in seconds or in milliseconds. No command is meant to take less than a second, or more
 * than some hours.
 */
function withTimeout({ timeout, ...rest }: Fields): Fields {
  const given = Number(timeout ?? Number.NaN);
  if (!(given > 0)) return timeout === undefined || timeout === null ? rest : { ...rest, timeout };
  const milliseconds = given < MAX_SECONDS ? given * 1000 : given;
  return { ...rest, timeout_ms: Math.round(Math.min(milliseconds, MAX_TIMEOUT_MS)) };
}

/** Drops options that request the foreground, because everything runs there. */
function inTheForeground(fields: Fields): Fields {
  const idle = ['is_background', 'run_in_background', 'is_input', 'background'];
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !idle.includes(name) || (value !== false && value !== 'false')),
  );
}

function commandsOf({ command, commands, script }: ShellInput): readonly (readonly string[])[] {
  if (script !== undefined) return [['sh', '-c', script]];
  return commands ?? (command === undefined ? [] : [command]);
}

function wordsOf(command: readonly string[]): string {
  return command.join(' ');
}

function outcomeOf(
  commands: readonly (readonly string[])[],
  result: unknown,
  changed: readonly string[],
): CommandOutcome | null {
  const parsed = shellRunResultSchema.safeParse(result);
  const last = parsed.data?.results.at(-1);
  if (parsed.data === undefined || last === undefined || parsed.data.results.length > commands.length) return null;
  const { results } = parsed.data;
  const shown = results.map((each, index) =>
    commands.length === 1 ? describeResult(each) : `$ ${wordsOf(commands[index] ?? [])}\n${describeResult(each)}`,
  );
  const skipped = commands.slice(results.length).map((command) => `$ ${wordsOf(command)}\nnot run`);
  return {
    text: [...shown, ...skipped, ...(changed.length === 0 ? [] : [`changed: ${changed.join(', ')}`])].join('\n'),
    summary: describeExit(last.exit),
    printed: results.map(({ stdout, stderr }) => [stdout, stderr].filter((text) => text !== '').join('\n')).join('\n'),
    succeeded: last.exit.kind === 'exited' && last.exit.code === 0,
  };
}

function describeResult({ exit, stdout, stderr }: CommandResult): string {
  return [
    describeExit(exit),
    ...(stdout === '' ? [] : [`stdout:\n${stdout}`]),
    ...(stderr === '' ? [] : [`stderr:\n${stderr}`]),
  ].join('\n');
}

function describeExit(exit: CommandResult['exit']): string {
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
