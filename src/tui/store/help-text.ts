import { COMMANDS } from './parse-command.ts';

const KEYS = [
  'Enter sends; Alt-Enter or a trailing \\ begins a new line; Up and Down go through what you sent; Tab completes a command.',
  'Ctrl-C interrupts the run; twice leaves, and so does Ctrl-D on an empty line. A blank before a / sends it as text.',
];

/** What /help shows: every command, and the keys. */
export function helpText(): string {
  const commands = Object.entries(COMMANDS).map(([name, what]) => `${name.padEnd(10)} ${what}`);
  return [...commands, '', ...KEYS].join('\n');
}
