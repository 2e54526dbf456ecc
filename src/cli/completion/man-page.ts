import type { Options } from 'yargs';
import { GLOBAL_OPTIONS } from '../command-line/cli-command.ts';
import type { CliCommand } from '../command-line/cli-command.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import { exitMeaning } from '../command-line/help-text.ts';

/** fluffy(1) in roff, derived from the commands. Pure. */
export function manPage(version: string, run: CliCommand, commands: readonly CliCommand[]): string {
  const lines = [
    `.TH FLUFFY 1 "" "fluffy ${version}" "User Commands"`,
    '.SH NAME',
    'fluffy \\- a coding agent that writes tests first and commits only what was proved',
    '.SH SYNOPSIS',
    '.B fluffy',
    '[\\fIoptions\\fR] [\\fItask\\fR ...]',
    '.br',
    '.B fluffy',
    '\\fIcommand\\fR [\\fIoptions\\fR] [\\fIarguments\\fR]',
    '.SH OPTIONS',
    ...optionLines({ ...run.options, ...GLOBAL_OPTIONS }),
    '.SH COMMANDS',
    ...commands.filter(({ forPrograms }) => forPrograms !== true).flatMap(commandLines),
    '.SH EXIT STATUS',
    ...Object.values(EXIT).flatMap((code) => ['.TP', String(code), text(exitMeaning(code))]),
    '.SH EXAMPLES',
    ...run.examples.flatMap(({ line, what }) => ['.TP', `.B ${text(line)}`, text(what)]),
  ];
  return `${lines.join('\n')}\n`;
}

function commandLines({ name, arguments: specs, summary, options }: CliCommand): string[] {
  const words = specs.map((spec) => (spec.required === true ? `<${spec.name}>` : `[${spec.name}]`)).join(' ');
  return ['.SS', text(`fluffy ${name} ${words}`.trim()), text(`${summary}.`), ...optionLines(options)];
}

function optionLines(options: Readonly<Record<string, Options>>): string[] {
  return Object.entries(options).flatMap(([name, { alias, choices, type, describe }]) => {
    const short = [alias].flat().filter((each) => each !== undefined);
    const names = [...short.map((each) => `\\fB\\-${text(each)}\\fR`), `\\fB\\-\\-${text(name)}\\fR`].join(', ');
    const value =
      choices === undefined ? (type === 'boolean' ? '' : ' \\fIvalue\\fR') : ` \\fI${text(choices.join('|'))}\\fR`;
    return ['.TP', `${names}${value}`, text(describe ?? '')];
  });
}

/** Escapes every character that has a meaning in roff. */
function text(words: string): string {
  return words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1');
}
