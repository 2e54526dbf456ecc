/** Scrolls the terminal's content off its screen, and leaves the cursor at the top: the screen is empty, but nothing is lost. */
export function scrollAway(terminal: Pick<NodeJS.WriteStream, 'rows' | 'write'>): Promise<void> {
  terminal.write(`${'\n'.repeat(Math.max(0, terminal.rows - 1))}\x1b[H`);
  return Promise.resolve();
}
