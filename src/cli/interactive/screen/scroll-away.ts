/** Scrolls what a terminal shows off its screen, and leaves the cursor at the top: an empty screen, of which nothing is lost. */
export function scrollAway(terminal: Pick<NodeJS.WriteStream, 'rows' | 'write'>): Promise<void> {
  terminal.write(`${'\n'.repeat(Math.max(0, terminal.rows - 1))}\x1b[H`);
  return Promise.resolve();
}
