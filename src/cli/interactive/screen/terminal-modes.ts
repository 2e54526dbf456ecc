type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the terminal is the one that the person looks at; `unknown` where it does not say. */
export type Place = 'in-front' | 'away' | 'unknown';

const ASK_FOR_KEYS = '\x1b[?u';
const ASK_FOR_REPORTS = '\x1b[?1004$p';
const REPORTS_ON = '\x1b[?1004h';
const REPORTS_OFF = '\x1b[?1004l';
/** Keys that other keys send too get codes of their own (1), with the key of a Latin keyboard beside a letter of another alphabet (4). */
const KEYS_ON = '\x1b[>5u';
const KEYS_OFF = '\x1b[<u';

/** What a terminal says of itself; the last of each kind counts. Ink takes all of this out of what is typed. */
const SAID = /\x1b\[(?:([IO])|\?1004;([1-4])\$y|\?(\d+)u)/g;

/**
 * Modes that the terminal has while fluffy reads its keys, and no other program: reports of its focus, and the kitty keyboard protocol where it answers
 * the question for it. Without an answer nothing of the keyboard changes.
 */
export class TerminalModes {
  readonly #write: (bytes: string) => unknown;
  readonly #env: Environment;
  #place: Place = 'unknown';
  #hasKeys = false;
  #isOn = false;
  #isOver = false;

  constructor(write: (bytes: string) => unknown, env: Environment) {
    this.#write = write;
    this.#env = env;
  }

  get place(): Place {
    return this.#place;
  }

  /** In raw mode only: an answer would be shown otherwise. */
  begin(): void {
    // The console of Linux knows none of this, and the terminal of macOS prints a part of the question for reports.
    if (this.#isOver || this.#env['TERM'] === 'linux') return;
    const asks = this.#env['TERM_PROGRAM'] === 'Apple_Terminal' ? '' : ASK_FOR_REPORTS;
    this.#isOn = true;
    this.#write(`${REPORTS_ON}${asks}${ASK_FOR_KEYS}`);
  }

  /** Whether the terminal sends Esc as a single byte, as without the kitty protocol. */
  get sendsEscape(): boolean {
    return !(this.#isOn && this.#hasKeys);
  }

  /** A piece of input, in whole sequences; it is passed on as it is. */
  receive(input: string): string {
    for (const [, focus, mode, keys] of input.matchAll(SAID)) {
      if (focus !== undefined) this.#place = focus === 'I' ? 'in-front' : 'away';
      // Whoever starts a program looks at its terminal.
      else if (mode !== undefined) this.#place = this.#place === 'unknown' ? 'in-front' : this.#place;
      else if (keys !== undefined) this.#useKeys();
    }
    return input;
  }

  /** Gives `use` the terminal as it was. */
  async without<T>(use: () => Promise<T>): Promise<T> {
    const wasOn = this.#isOn;
    this.#turnOff();
    try {
      return await use();
    } finally {
      if (wasOn && !this.#isOver) {
        this.#isOn = true;
        this.#write(`${REPORTS_ON}${this.#hasKeys ? KEYS_ON : ''}`);
      }
    }
  }

  /** For good. */
  end(): void {
    this.#isOver = true;
    this.#turnOff();
  }

  #turnOff(): void {
    if (!this.#isOn) return;
    this.#isOn = false;
    this.#write(`${REPORTS_OFF}${this.#hasKeys ? KEYS_OFF : ''}`);
  }

  #useKeys(): void {
    if (this.#hasKeys) return;
    this.#hasKeys = true;
    if (this.#isOn) this.#write(KEYS_ON);
  }
}
