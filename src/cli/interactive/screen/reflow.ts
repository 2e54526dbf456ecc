import type { WriteStream } from 'node:tty';
import { rowsAddedByWrapping } from '../../../tui/live/live-frame.ts';
import type { LiveFrame } from '../../../tui/live/live-frame.ts';

type Terminal = Pick<WriteStream, 'on' | 'off' | 'columns' | 'getWindowSize' | 'write'>;

/**
 * Whether it is known what a terminal shows when it reports that it is narrower. Most terminals wrap their rows again. Two of these cut them off.
 * tmux wraps them, but reports a size up to a quarter of a second later, possibly an outdated one.
 */
export function isReflowKnown(env: Readonly<Record<string, string | undefined>>): boolean {
  const cutsOff = env['XTERM_VERSION'] !== undefined || env['TERM'] === 'linux' || env['STY'] !== undefined;
  return !cutsOff && env['TMUX'] === undefined;
}

/**
 * Keeps the scrollback complete when the terminal becomes narrower. Ink then erases as many rows above the cursor as it drew, but a terminal that
 * wraps again has more of them, and the others would stay for good. The cursor is moved up by the difference before Ink erases, so this listener must
 * be registered before Ink's own. If the difference is not certain, the cursor stays: a left-over row is better than a lost one.
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

  /** Stores what is on the screen now, if the terminal still has the width of the frame: a narrower one has cut its rows off. */
  readonly drawn = (frame: LiveFrame): void => {
    this.#columns = this.#terminal.columns;
    this.#frame = this.#terminal.getWindowSize()[0] === this.#columns ? frame : null;
  };

  /** Another program uses the terminal: nothing of Fluffy is on the screen. */
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
