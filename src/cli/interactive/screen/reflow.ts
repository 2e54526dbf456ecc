import type { WriteStream } from 'node:tty';
import { rowsAddedByWrapping } from '../../../tui/live/live-frame.ts';
import type { LiveFrame } from '../../../tui/live/live-frame.ts';

type Terminal = Pick<WriteStream, 'on' | 'off' | 'columns' | 'write'>;

/**
 * Most terminals wrap what they show again when they become narrower; these cut it off. Of the others nothing is known that says so.
 */
export function wrapsAgain(env: Readonly<Record<string, string | undefined>>): boolean {
  return env['XTERM_VERSION'] === undefined && env['TERM'] !== 'linux' && env['STY'] === undefined;
}

/**
 * Keeps the scrollback whole when the terminal becomes narrower. Ink then erases as many rows above the cursor as it drew; a terminal that wraps again
 * has more of them by then, and what is left over would stay for good. The cursor is put up by the difference before Ink erases: this listener has to
 * be there before Ink's own.
 */
export class ReflowGuard {
  readonly #terminal: Terminal;
  readonly #wraps: boolean;
  #frame: LiveFrame | null = null;
  #columns: number;
  #isAway = false;

  constructor(terminal: Terminal, wraps: boolean) {
    this.#terminal = terminal;
    this.#wraps = wraps;
    this.#columns = terminal.columns;
    terminal.on('resize', this.#onResize);
  }

  /** What is on the screen now. */
  readonly drawn = (frame: LiveFrame): void => {
    this.#frame = frame;
    this.#columns = this.#terminal.columns;
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
    if (this.#isAway || !this.#wraps || this.#frame === null || columns >= this.#columns) return;
    const added = rowsAddedByWrapping(this.#frame, columns);
    if (added > 0) this.#terminal.write(`\x1b[${added}A`);
  };
}
