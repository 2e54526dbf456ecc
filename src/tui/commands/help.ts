import { usageOf } from './slash-command.ts';
import type { SlashCommand } from './slash-command.ts';

const KEYS = [
  'Enter sends; Alt-Enter or a trailing \\ begins a new line. In the menu for / or @file, Up and Down choose, Enter or Tab takes, Esc closes.',
  'Up and Down go through what you sent, Ctrl-R searches it; Up on an empty line takes a queued task back. Ctrl-G opens your editor.',
  'Ctrl-O opens the calls with their input and output, or the review that waits file by file; / searches there.',
  'Esc or Ctrl-C interrupts the run; Ctrl-C twice leaves, and so does Ctrl-D on an empty line. !command runs it in a sandbox, #note proposes a line for AGENTS.md. A blank before a /, ! or # sends it as text.',
];

export const keys: SlashCommand = {
  name: 'keys',
  argument: null,
  help: 'what the keys do',
  synonyms: ['shortcuts', 'hotkeys', 'bindings'],
  needs: 'nothing',
  run: (_, { answer }) => answer(KEYS.join('\n')),
};

export const help: SlashCommand = {
  name: 'help',
  argument: null,
  help: 'this list',
  synonyms: ['commands', '?'],
  needs: 'nothing',
  run: (_, { commands, answer }) => {
    const rows = commands.map((command) => [usageOf(command), command.help] as const);
    const width = Math.max(...rows.map(([usage]) => usage.length));
    answer([...rows.map(([usage, what]) => `${usage.padEnd(width)}  ${what}`), '', ...KEYS].join('\n'));
  },
};
