/** Ends each frame of the live region: the cursor is shown at the prompt. Nothing else that Ink writes ends so. */
const FRAME_END = '\x1b[?25h';
const WRAP_OFF = '\x1b[?7l';
const WRAP_ON = '\x1b[?7h';

/**
 * The terminal as Ink gets it: rows of the live region are cut at its edge and never wrapped. A terminal that has just changed its size says so late (tmux
 * after a quarter of a second); a row that was laid out for the old width would take two rows, and the next frame be drawn one row too low. What goes to
 * the scrollback is wrapped as ever, so that none of it is lost.
 */
export function withUnwrappedFrames(stdout: NodeJS.WriteStream): NodeJS.WriteStream {
  const write = (data: string | Uint8Array, ...rest: never[]): boolean =>
    stdout.write(typeof data === 'string' && data.includes(FRAME_END) ? `${WRAP_OFF}${data}${WRAP_ON}` : data, ...rest);
  return new Proxy(stdout, {
    get(target, name) {
      if (name === 'write') return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
