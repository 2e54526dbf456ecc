import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import type { CliCommand } from './cli-command.ts';

/** What each exit code means, in a few words. */
const MEANING: Readonly<Record<ExitCode, string>> = {
  [EXIT.done]: 'done',
  [EXIT.failed]: 'it could not be done',
  [EXIT.usage]: 'usage or configuration',
  [EXIT.noRuntime]: 'no container engine or sandbox',
  [EXIT.decisionNeeded]: 'a human decision is needed or was negative',
  [EXIT.limit]: 'a limit was reached',
  [EXIT.provider]: 'the model provider failed',
  [EXIT.kernelCrashed]: 'the kernel could not be started or brought back',
  [EXIT.policyDenied]: 'policy denied what the task needs',
  [EXIT.gate]: 'the tests could not be made to prove the change',
  [EXIT.auditBroken]: 'the audit log, or the evidence of a commit, is broken',
  [EXIT.interrupted]: 'interrupted',
  [EXIT.terminated]: 'terminated',
};

export function exitMeaning(code: ExitCode): string {
  return MEANING[code];
}

/** The help of a command, around the list of its options. */
export function helpOf(command: CliCommand, options: string, all: readonly CliCommand[]): string {
  const lines = [
    usageLine(command),
    '',
    command.name === ''
      ? 'A coding agent that writes tests first, works in containers, and commits only what was proved.'
      : `${command.summary}.`,
    ...section(
      'Arguments:',
      command.arguments.map(({ name, describe }) => [name, describe]),
    ),
    ...(command.name === '' ? section('Commands:', all.map(commandRow)) : []),
    '',
    options.trim(),
    ...section(
      'Examples:',
      command.examples.map(({ line, what }) => [line, what]),
    ),
    ...section(
      'Exit codes:',
      command.exitCodes.map((code) => [String(code), MEANING[code]]),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** The help of a word with which several commands begin. */
export function groupHelp(group: string, all: readonly CliCommand[]): string {
  const members = all.filter(({ name }) => name.startsWith(`${group} `));
  const text = [
    `fluffy ${group} <command>`,
    ...section('Commands:', members.map(commandRow)),
    '',
    `fluffy ${group} <command> --help describes one command.`,
  ];
  return `${text.join('\n')}\n`;
}

function commandRow(command: CliCommand): readonly [string, string] {
  return [usageLine(command), command.summary];
}

function usageLine({ name, arguments: specs }: CliCommand): string {
  const words = specs.map((spec) => {
    const word = spec.rest === true ? `${spec.name}..` : spec.name;
    return spec.required === true ? `<${word}>` : `[${word}]`;
  });
  return ['fluffy', name, ...words].filter((word) => word !== '').join(' ');
}

function section(title: string, rows: readonly (readonly [string, string])[]): string[] {
  if (rows.length === 0) return [];
  const width = Math.max(...rows.map(([left]) => left.length));
  return ['', title, ...rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)];
}
