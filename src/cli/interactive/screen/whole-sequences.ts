export interface SequenceParts {
  readonly nowMs: () => number;
  /** Calls back once after a delay, unless the returned function was called before. */
  readonly after: (ms: number, callback: () => void) => () => void;
  /** Whether the terminal sends Esc as a single byte. */
  readonly sendsEscape: () => boolean;
  /** Input without a piece that it came in. */
  readonly onLate: (input: string) => void;
}

const ESCAPE = '\x1b';
/** Esc in the form of the kitty protocol, which is no beginning of anything. */
const ESCAPE_KEY = '\x1b[27u';
const PASTE_START = '\x1b[200~';
const PASTE_END = '\x1b[201~';
const CTRL_C = '\x03';
const CTRL_C_KEY = '\x1b[99;5u';
/** Not Esc as a single byte, which may be the beginning of the paste's end. */
const ENDS_PASTE = [CTRL_C, CTRL_C_KEY, ESCAPE_KEY];

/** The beginning of a key or a report (CSI, SS3), or of a reply (OSC, DCS), at the end of the input. */
const BEGUN = /\x1b(?:\[\[?[0-?]*[ -/]*|O[\d;]*|\](?:\d[^\x07\x1b]*\x1b?)?|P[\d>+$][^\x1b]*\x1b?)$/;
/** May also be Alt with a capital O. */
const ALT_O = '\x1bO';
const ESCAPES = /\x1b+$/;
/** What remains of a key, a report or a reply without its Esc. An `O` may be typed text, if it is not one key or several. */
const REST = /^(?:\[[0-?]*[ -/]*[@-~]|O[\d;]*[A-DFHP-S](?=\x1b|$)|\]\d+;)/;

/** A slow connection may deliver a sequence in two pieces with this time between them. */
const SEQUENCE_WITHIN_MS = 500;
const ESCAPE_WITHIN_MS = 20;
const ALT_O_WITHIN_MS = 100;
const REST_WITHIN_MS = 1000;
/** A paste of which nothing came for this time has lost its end. */
const PASTE_WITHIN_MS = 10_000;
const MAX_HELD = 4096;

/**
 * Puts together what a slow connection has divided: otherwise the rest of a key or of a report of the terminal would be typed text. A sequence that is
 * never completed is dropped. A paste without an end is taken as it is after a time, or when Esc or Ctrl-C is pressed.
 */
export class WholeSequences {
  readonly #parts: SequenceParts;
  #held = '';
  #isPasting = false;
  /** When an Esc was passed on that may have been the beginning of a sequence. */
  #escapedAtMs = -Infinity;
  #cancel = (): void => undefined;

  constructor(parts: SequenceParts) {
    this.#parts = parts;
  }

  /** A piece of input, in whole sequences. */
  take(piece: string): string {
    this.#cancel();
    if (this.#isPasting && ENDS_PASTE.includes(piece)) return this.#endPaste();
    const isRest = this.#parts.nowMs() - this.#escapedAtMs < REST_WITHIN_MS && REST.test(piece);
    this.#escapedAtMs = -Infinity;
    const input = isRest ? ESCAPE + piece : this.#held + piece;
    const begun = BEGUN.exec(input) ?? ESCAPES.exec(input);
    this.#held = begun === null || begun[0].length > MAX_HELD ? '' : begun[0];
    const whole = input.slice(0, input.length - this.#held.length);
    const paste = Math.max(whole.lastIndexOf(PASTE_START), whole.lastIndexOf(PASTE_END));
    if (paste !== -1) this.#isPasting = whole.startsWith(PASTE_START, paste);
    this.#cancel = this.#wait(piece);
    return whole;
  }

  #wait(piece: string): () => void {
    const { after, sendsEscape, onLate } = this.#parts;
    if (this.#isPasting) {
      if (sendsEscape() && isEscapes(piece)) return after(SEQUENCE_WITHIN_MS, () => this.#pressEscape());
      return after(PASTE_WITHIN_MS, () => onLate(this.#endPaste()));
    }
    if (isEscapes(this.#held))
      return after(sendsEscape() ? ESCAPE_WITHIN_MS : SEQUENCE_WITHIN_MS, () => this.#pressEscape());
    if (this.#held === ALT_O) return after(ALT_O_WITHIN_MS, () => this.#pressAltO());
    return this.#held === '' ? () => undefined : after(SEQUENCE_WITHIN_MS, () => (this.#held = ''));
  }

  #pressEscape(): void {
    const keys = ESCAPE_KEY.repeat(this.#held.length);
    this.#held = '';
    this.#escapedAtMs = this.#parts.nowMs();
    this.#parts.onLate(this.#isPasting ? this.#endPaste() : keys);
  }

  #pressAltO(): void {
    this.#held = '';
    this.#parts.onLate(ALT_O);
  }

  #endPaste(): string {
    this.#isPasting = false;
    const held = this.#held;
    this.#held = '';
    return held + PASTE_END;
  }
}

function isEscapes(input: string): boolean {
  return ESCAPES.exec(input)?.index === 0;
}
