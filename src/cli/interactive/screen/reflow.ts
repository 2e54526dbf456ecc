import type { WriteStream } from 'node:tty';
import { rowsAddedByWrapping } from '../../../tui/live/live-frame.ts';
import type { LiveFrame } from '../../../tui/live/live-frame.ts';

type Terminal = Pick<WriteStream, 'on' | 'off' | 'columns' | 'getWindowSize' | 'write'>;

/**
 * Whether it is known what a terminal shows when it reports that it is narrower. Most terminals wrap their rows again. Two of these cut them off.
 * tmux wraps them, but reports a size up to a quarter of a second later, and perhaps one that it no longer has.
 */
export function isReflowKnown(env: Readonly<Record<string, string | undefined>>): boolean {
  const cutsOff = env['XTERM_VERSION'] !== undefined || env['TERM'] === 'linux' || env['STY'] !== undefined;
  return !cutsOff && env['TMUX'] === undefined;
}

/**
 * Keeps the scrollback whole when the terminal becomes narrower. Ink then erases as many rows above the cursor as it drew; a terminal that wraps again
 * has more of them by then, and what is left over would stay for good. The cursor is put up by the difference before Ink erases: this listener has to
 * be there before Ink's own. Where the difference is not known for certain the cursor stays: a row that is left over is better than one that is lost.
 */
export class ReflowGuard {
  readonly #terminal: Terminal;
  readonly #isKnown: boolean;
  #frame: LiveFrame | null = null;
  #columns: number;
  #isAway = false;

  constructor(terminal: Terminal, isKnown: boolean) {
    this.#terminal = terminal;
    this.#isKnown = isKnown;
    this.#columns = terminal.columns;
    terminal.on('resize', this.#onResize);
  }

  /** What is on the screen now, if the terminal still has the width that the frame was laid out for: a narrower one has cut its rows off. */
  readonly drawn = (frame: LiveFrame): void => {
    this.#columns = this.#terminal.columns;
    this.#frame = this.#terminal.getWindowSize()[0] === this.#columns ? frame : null;
  };

  /** Another program has the terminal: nothing of ours is on the screen. */
  setAway(isAway: boolean): void {
    this.#isAway = isAway;
  }

  close(): void {
    this.#terminal.off('resize', this.#onResize);
  }

  readonly #onResize = (): void => {
    const { columns } = this.#terminal;
    if (this.#isAway || !this.#isKnown || this.#frame === null || columns >= this.#columns) return;
    const added = rowsAddedByWrapping(this.#frame, columns);
    if (added > 0) this.#terminal.write(`\x1b[${added}A`);
  };
}
