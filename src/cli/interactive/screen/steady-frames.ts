/** Ink encloses each update in these two sequences: the terminal may show it at once. */
const UPDATE_START = '\x1b[?2026h';
const UPDATE_END = '\x1b[?2026l';
const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';
/** The beginning of Ink's frames: it moves down to the row below the last frame, and erases that frame row by row on the way up. */
const FRAME_START = /^(?:\x1b\[\?25l(?:\x1b\[(\d+)B)?\x1b\[1G)?((?:\x1b\[2K\x1b\[1A)*)(?:\x1b\[2K\x1b\[G)?/;
/** The end of Ink's frames: the cursor goes up to its place and is shown. No other output of Ink ends so. */
const FRAME_END = /(?:\x1b\[(\d+)A)?\x1b\[(\d+)G\x1b\[\?25h$/;
const ERASED_ROW = '\x1b[2K\x1b[1A';
/** How Ink erases its last frame, from the first column of its first row. */
const ERASE = '\x1b[1G\x1b[J';
/** The same from the second column, because tmux puts a screen that is erased from its first cell on into the scrollback. */
const ERASE_QUIETLY = '\x1b[1G\x1b[K\x1b[2G\x1b[J\x1b[1G';
/** Ink clears the screen for a frame as high as it. That is never drawn: the region is lower than the terminal, or will be in the next frame. */
const ROWS_ABOVE = 1_000;
const WRAP_OFF = '\x1b[?7l';
const WRAP_ON = '\x1b[?7h';

/**
 * The terminal as Ink gets it, with frames that lose nothing in a terminal that changes its size at any moment, also in the middle of a frame. Ink has
 * to write whole frames (`incrementalRendering` is off). What goes to the scrollback is written as it is.
 *
 * The invariant: the cursor never goes up by more rows than there are between it and the first row of the live region.
 *
 * - The cursor goes down by line feeds only. Any other way down ends early at the last row of a terminal that has become lower, and the way back up
 *   would end in the scrollback.
 * - Each row that the cursor passes is erased and written again. A row that a narrower terminal has broken becomes one row again in a wider one: there
 *   would be fewer rows to go up.
 * - Rows of the live region are cut at the edge and never wrapped: a row that was laid out for the old width would take two.
 * - All that Ink writes at a time is one write.
 * - A cursor in the first column is not shown: it is parked (`isParked` in live-frame.ts), or at a prompt whose label is there.
 *
 * Its `rows` are not those of the terminal.
 */
export function withSteadyFrames(stdout: NodeJS.WriteStream): NodeJS.WriteStream {
  const steady = steadyWriter();
  let held: string | null = null;
  const write = (data: string | Uint8Array, ...rest: never[]): boolean => {
    if (typeof data !== 'string') return stdout.write(data, ...rest);
    if (data === UPDATE_START) held = '';
    if (held === null) return stdout.write(steady(data), ...rest);
    held += steady(data);
    if (data !== UPDATE_END) return true;
    const whole = held;
    held = null;
    return stdout.write(whole);
  };
  return new Proxy(stdout, {
    get(target, name) {
      if (name === 'write') return write;
      if (name === 'rows') return target.rows + ROWS_ABOVE;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

function steadyWriter(): (data: string) => string {
  let shown = '';
  return (data) => {
    const end = FRAME_END.exec(data);
    if (end === null) return data.endsWith(ERASE) ? `${data.slice(0, -ERASE.length)}${ERASE_QUIETLY}` : data;
    const frame = data.slice(0, end.index);
    const [start = '', down = '0', erased = ''] = FRAME_START.exec(frame) ?? [];
    const up = Number(end[1] ?? 0);
    const rows = frame.slice(start.length);
    const onlyCursor = rows === '';
    if (!onlyCursor) shown = rows;
    const rowsErased = onlyCursor ? shown.split('\n').length - 1 : erased.length / ERASED_ROW.length;
    const drawn = onlyCursor && up === Number(down) ? '' : redrawn(shown, rowsErased - Number(down), up);
    const cursor = `\x1b[${end[2]}G${end[2] === '1' ? '' : SHOW_CURSOR}`;
    return `${WRAP_OFF}${HIDE_CURSOR}${drawn}${cursor}${WRAP_ON}`;
  };
}

/**
 * Draws the rows from the first one on, `toFirst` rows above the cursor. They end with a line break; at the end the cursor is `up` rows above the row
 * below them.
 */
function redrawn(rows: string, toFirst: number, up: number): string {
  return `${cursorUp(toFirst)}\r\x1b[K${rows.replaceAll('\n', '\n\x1b[K')}\x1b[J${cursorUp(up)}`;
}

function cursorUp(rows: number): string {
  return rows > 0 ? `\x1b[${rows}A` : '';
}
