import { BINDABLE_ACTIONS } from '../keymap/bindable-actions.ts';
import type { Bindings } from '../keymap/bindings.ts';
import { commandHelp, commandMeant } from './command-help.ts';
import { usageOf } from './slash-command.ts';
import type { SlashCommand } from './slash-command.ts';

/** Keys that cannot be changed. */
const FIXED_KEYS: readonly Line[] = [
  ['enter', 'send; accept the selection in a menu'],
  ['alt-enter, ctrl-j', 'begin a new line, as enter does behind \\'],
  ['tab', 'complete; open the paste before the cursor'],
  ['shift-tab', 'from strict to explore, and back to strict'],
  ['up, down', 'sent messages; choose in a menu; on an empty line, up takes back a queued task'],
  ['esc', 'interrupt the run; close a menu; twice on an empty line: go back to an earlier message'],
  ['ctrl-c', 'interrupt; twice: leave, the session is kept'],
];

const PREFIXES: readonly Line[] = [
  ['?', 'alone: show the most used keys'],
  ['/command', 'one of those that /help lists'],
  ['!command', 'runs in a sandbox; the model reads its output'],
  ['#note', 'proposes a line for AGENTS.md'],
  ['@file', 'attaches a file of the project, or an image'],
  ['a blank first', 'sends a line with /, ! or # as text'],
];

type Line = readonly [name: string, what: string];

export const keys: SlashCommand = {
  name: 'keys',
  argument: null,
  help: 'list the keys; your own are marked with *',
  synonyms: ['shortcuts', 'hotkeys', 'bindings'],
  needs: 'nothing',
  run: (_, { answer, bindings }) => {
    const chosen = boundLines(bindings);
    answer(
      [
        ...table([...FIXED_KEYS, ...chosen, ...PREFIXES]),
        '',
        'Keys of your own: keys in your configuration, see docs/configuration.md.',
      ].join('\n'),
    );
  },
};

export const help: SlashCommand = {
  name: 'help',
  argument: '[command]',
  help: 'this list; with a command, more about it',
  synonyms: ['commands', '?'],
  needs: 'nothing',
  run: (argument, { groups, answer, hint }) => {
    if (argument !== '') {
      const command = commandMeant(
        argument,
        groups.flatMap(({ commands }) => commands),
      );
      if (command === undefined) hint(`There is no command ${argument}. /help lists them.`);
      else answer(commandHelp(command));
      return;
    }
    const width = Math.max(...groups.flatMap(({ commands }) => commands.map((command) => usageOf(command).length)));
    const section = (title: string, lines: readonly Line[]) => [
      title,
      ...table(lines, width).map((line) => `  ${line}`),
      '',
    ];
    const sections = groups.flatMap(({ title, commands }) =>
      section(
        title,
        commands.map((command): Line => [usageOf(command), command.help]),
      ),
    );
    answer(
      [...sections, ...section('Input', PREFIXES.slice(2)), '/keys lists the keys, /help COMMAND says more.'].join(
        '\n',
      ),
    );
  },
};

function table(lines: readonly Line[], width = Math.max(...lines.map(([name]) => name.length))): readonly string[] {
  return lines.map(([name, what]) => `${name.padEnd(width)}  ${what}`);
}

/** One line for each action; actions with chosen keys are marked. */
function boundLines({ keys: bound }: Bindings): readonly Line[] {
  return BINDABLE_ACTIONS.map(({ name, keys: usual, help: what }): Line => {
    const now = bound[name];
    const isUsual = now.join() === usual.join();
    return [`${now.length === 0 ? 'no key' : now.join(', ')}${isUsual ? '' : ' *'}`, `${what} (${name})`];
  });
}
