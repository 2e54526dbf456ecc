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

const ABOUT = 'A coding agent that writes tests first, works in containers, and commits only what was proved.';

/** The help of a command, around the list of its options, in rows of at most `columns` cells. */
export function helpOf(command: CliCommand, options: string, all: readonly CliCommand[], columns: number): string {
  const lines = [
    usageLine(command),
    '',
    ...wordRows(command.name === '' ? ABOUT : `${command.summary}.`, columns),
    ...section(
      columns,
      'Arguments:',
      command.arguments.map(({ name, describe }) => [name, describe]),
    ),
    ...(command.name === '' ? section(columns, 'Commands:', all.flatMap(commandRow)) : []),
    '',
    options.trim(),
    ...section(
      columns,
      'Examples:',
      command.examples.map(({ line, what }) => [line, what]),
    ),
    ...section(
      columns,
      'Exit codes:',
      command.exitCodes.map((code) => [String(code), MEANING[code]]),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** The help of a word with which several commands begin. */
export function groupHelp(group: string, all: readonly CliCommand[], columns: number): string {
  const members = all.filter(({ name }) => name.startsWith(`${group} `));
  const text = [
    `fluffy ${group} <command>`,
    ...section(columns, 'Commands:', members.flatMap(commandRow)),
    '',
    `fluffy ${group} <command> --help describes one command.`,
  ];
  return `${text.join('\n')}\n`;
}

function commandRow(command: CliCommand): readonly (readonly [string, string])[] {
  return command.forPrograms === true ? [] : [[usageLine(command).replace(/^fluffy /, ''), command.summary]];
}

function usageLine({ name, arguments: specs }: CliCommand): string {
  const words = specs.map((spec) => {
    const word = spec.rest === true ? `${spec.name}..` : spec.name;
    return spec.required === true ? `<${word}>` : `[${word}]`;
  });
  return ['fluffy', name, ...words].filter((word) => word !== '').join(' ');
}

/** Fewer columns for the right side are not read easily: it is below the left side then. */
const MIN_RIGHT = 30;
const BELOW = '      ';

function section(columns: number, title: string, rows: readonly (readonly [string, string])[]): string[] {
  if (rows.length === 0) return [];
  const width = Math.max(...rows.map(([left]) => left.length));
  const room = columns - width - 4;
  const beside = ([left, right]: readonly [string, string]): string[] =>
    wordRows(right, room).map((row, index) => `  ${(index === 0 ? left : '').padEnd(width)}  ${row}`);
  const below = ([left, right]: readonly [string, string]): string[] => [
    `  ${left}`,
    ...wordRows(right, columns - BELOW.length).map((row) => `${BELOW}${row}`),
  ];
  return ['', title, ...rows.flatMap(room < MIN_RIGHT ? below : beside)];
}

/** A text of ASCII in rows that end between words. */
function wordRows(text: string, width: number): readonly string[] {
  return text.split(' ').reduce<string[]>((rows, word) => {
    const last = rows.at(-1);
    const longer = `${last} ${word}`;
    return last !== undefined && longer.length <= width ? [...rows.slice(0, -1), longer] : [...rows, word];
  }, []);
}
