import type { TmuxTerminal } from './tmux-terminal.ts';

/** Enters a decision. If it comes too soon after the card was drawn, the screen says so, and Enter is pressed once more, as a person would. */
export async function decide(terminal: TmuxTerminal, command: string, outcome: RegExp): Promise<void> {
  terminal.enter(command);
  await terminal.shows(new RegExp(`${outcome.source}|only just been drawn`));
  if (!outcome.test(terminal.scrollback())) terminal.press('Enter');
  await terminal.shows(outcome);
}
