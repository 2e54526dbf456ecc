const HIDE_CURSOR = '\x1b[?25l';
/** Ends each frame of the live region: the cursor is shown where the frame has put it. Nothing else that Ink writes ends so. */
const FRAME_END = '\x1b[?25h';
/** A frame that is drawn over the last one: the cursor goes down to the row below the region first. */
const GOES_DOWN = /^\x1b\[\?25l\x1b\[(\d+)B/;
/** The prompt's label is in the first column, so nobody types there. */
const IS_PARKED = `\x1b[1G${FRAME_END}`;
/** How Ink erases its last frame, from the first column of its first row. */
const ERASE = '\x1b[1G\x1b[J';
/** The same from the second column, as tmux puts a screen that is erased from its first cell on into the scrollback. */
const ERASE_QUIETLY = '\x1b[1G\x1b[K\x1b[2G\x1b[J\x1b[1G';
/** Ink clears the screen for a frame as high as it. That is never drawn: the region is lower than the terminal, or will be in the next frame. */
const ROWS_ABOVE = 1_000;
const WRAP_OFF = '\x1b[?7l';
const WRAP_ON = '\x1b[?7h';

/**
 * The terminal as Ink gets it, with frames that do no harm in one that has just changed its size and has not said so yet (tmux says it after a quarter of
 * a second). What goes to the scrollback is written as it is.
 *
 * - Rows of the live region are cut at the edge and never wrapped: a row that was laid out for the old width would take two.
 * - Rows below the cursor may be gone, as a lower terminal drops them first. The way down would end too early then, and the way back up in the scrollback.
 *   Line feeds make these rows anew.
 * - A parked cursor (`isParked` in live-frame.ts) is not shown.
 *
 * Its `rows` are not those of the terminal.
 */
export function withSteadyFrames(stdout: NodeJS.WriteStream): NodeJS.WriteStream {
  const write = (data: string | Uint8Array, ...rest: never[]): boolean =>
    stdout.write(typeof data === 'string' ? steady(data) : data, ...rest);
  return new Proxy(stdout, {
    get(target, name) {
      if (name === 'write') return write;
      if (name === 'rows') return target.rows + ROWS_ABOVE;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function steady(data: string): string {
  if (data.includes(FRAME_END)) return steadyFrame(data);
  return data.endsWith(ERASE) ? `${data.slice(0, -ERASE.length)}${ERASE_QUIETLY}` : data;
}

function steadyFrame(frame: string): string {
  const [start = '', below] = GOES_DOWN.exec(frame) ?? [];
  const madeAnew = below === undefined ? '' : `${HIDE_CURSOR}${'\n'.repeat(Number(below))}\x1b[${below}A`;
  const drawn = start === '' ? frame : frame.slice(HIDE_CURSOR.length);
  const shown = drawn.endsWith(IS_PARKED) ? drawn.slice(0, -FRAME_END.length) : drawn;
  return `${WRAP_OFF}${madeAnew}${shown}${WRAP_ON}`;
}
