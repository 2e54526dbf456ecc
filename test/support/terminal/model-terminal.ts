import { reflowLines } from './reflow-lines.ts';
import type { Line } from './reflow-lines.ts';

/** What is known of a terminal's size. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

const CONTROL = /^\x1b\[([?\d;]*)([@-~])$/;
/** Begins or ends a link, which is not shown. */
const LINK = /^\x1b\]8;;[!-~]*\x1b\\$/;

/**
 * A terminal with scrollback that changes its size as tmux does: it joins what it had broken and breaks it again, drops the rows below the cursor
 * before it scrolls, and moves a cursor that left the screen to the top. One cell for each UTF-16 unit. It knows what Ink writes and throws at all else.
 */
export class ModelTerminal {
  #lines: Line[] = [];
  #columns: number;
  #rows: number;
  #x = 0;
  /** Counted from the first line of the scrollback. */
  #y = 0;
  /** Rows of the scrollback that a higher window takes back. */
  #takenBack = 0;
  #breaks = true;
  #sequence = '';

  constructor({ columns, rows }: TerminalSize) {
    this.#columns = columns;
    this.#rows = rows;
    this.#fill();
  }

  /** Rows of the scrollback, and the cursor's place on the screen. */
  position(): { readonly scrollback: number; readonly x: number; readonly y: number } {
    return { scrollback: this.#top, x: this.#x, y: this.#y - this.#top };
  }

  /** Lines of scrollback and screen, each as it was written. */
  unbroken(): string[] {
    const whole: string[] = [];
    let start = '';
    for (const { text, wraps } of this.#lines) {
      if (wraps) start += text;
      else {
        whole.push(start + text);
        start = '';
      }
    }
    const isOpen = this.#lines.at(-1)?.wraps === true;
    return isOpen ? [...whole, start] : whole;
  }

  write(data: string): void {
    for (let at = 0; at < data.length;) {
      const text = this.#sequence === '' ? this.#textThatFits(data, at) : '';
      if (text === '') this.#take(data[at] ?? '');
      else this.#put(text);
      at += Math.max(1, text.length);
    }
  }

  resize({ columns, rows }: TerminalSize): void {
    this.#setRows(rows);
    if (columns !== this.#columns) this.#setColumns(columns);
    if (this.#y >= this.#top) return;
    this.#x = 0;
    this.#y = this.#top;
  }

  get #top(): number {
    return this.#lines.length - this.#rows;
  }

  get #line(): Line {
    const line = this.#lines[this.#y];
    if (line === undefined) throw new Error(`no line ${this.#y}`);
    return line;
  }

  #fill(): void {
    this.#addBlank(this.#rows - this.#lines.length);
  }

  #addBlank(rows: number): void {
    for (let added = 0; added < rows; added += 1) this.#lines.push({ text: '', wraps: false });
  }

  #setRows(rows: number): void {
    const below = this.#lines.length - 1 - this.#y;
    const fewer = Math.max(0, this.#rows - rows);
    const dropped = Math.min(below, fewer);
    if (dropped > 0) {
      this.#lines.splice(-dropped);
      this.#endBefore(this.#lines.length);
    }
    this.#takenBack += fewer - dropped;
    const more = Math.max(0, rows - this.#rows);
    const back = Math.min(this.#takenBack, more);
    this.#takenBack -= back;
    this.#addBlank(more - back);
    this.#rows = rows;
  }

  #setColumns(columns: number): void {
    const { lines, cursor, takenBack } = reflowLines(this.#lines, columns, { x: this.#x, y: this.#y }, this.#takenBack);
    this.#columns = columns;
    this.#lines = lines;
    this.#x = cursor.x;
    this.#y = cursor.y;
    this.#fill();
    this.#takenBack = Math.min(takenBack, this.#top);
  }

  #take(character: string): void {
    if (this.#sequence !== '' || character === '\x1b') {
      this.#sequence += character;
      if (LINK.test(this.#sequence)) this.#sequence = '';
      if (this.#sequence.startsWith('\x1b]') || this.#sequence === '') return;
      const [, parameters, final] = CONTROL.exec(this.#sequence) ?? [];
      if (final === undefined || this.#sequence.length < 3) return;
      this.#sequence = '';
      this.#control(final, parameters ?? '');
    } else if (character === '\n') this.#lineFeed();
    else if (character === '\r') this.#x = 0;
    else this.#print(character);
  }

  #print(character: string): void {
    if (this.#x >= this.#columns) {
      if (!this.#breaks) return;
      this.#lineFeed();
      const before = this.#lines[this.#y - 1];
      if (before !== undefined) before.wraps = true;
    }
    this.#put(character);
  }

  /** Printable text from there on that ends before the edge. */
  #textThatFits(data: string, at: number): string {
    let end = at;
    while (end < data.length && end - at < this.#columns - this.#x && data.charCodeAt(end) >= 0x20) end += 1;
    return data.slice(at, end);
  }

  #put(run: string): void {
    const { text } = this.#line;
    this.#line.text = text.padEnd(this.#x).slice(0, this.#x) + run + text.slice(this.#x + run.length);
    this.#x = Math.min(this.#x + run.length, this.#breaks ? this.#columns : this.#columns - 1);
  }

  /** As the system sends it: with a carriage return. */
  #lineFeed(): void {
    this.#x = 0;
    this.#y += 1;
    if (this.#y < this.#lines.length) return;
    this.#addBlank(1);
    this.#takenBack += 1;
  }

  #control(final: string, parameters: string): void {
    const count = Math.max(1, Number(parameters));
    switch (final) {
      case 'A':
        this.#x = Math.min(this.#x, this.#columns - 1);
        this.#y = Math.max(this.#top, this.#y - count);
        break;
      case 'E':
        this.#x = 0;
        this.#y = Math.min(this.#lines.length - 1, this.#y + count);
        break;
      case 'B':
        this.#y = Math.min(this.#lines.length - 1, this.#y + count);
        break;
      case 'G':
        this.#x = Math.min(this.#columns, count) - 1;
        break;
      case 'K':
        this.#eraseLine(parameters === '2' ? 0 : this.#x);
        break;
      case 'J':
        this.#eraseBelow();
        break;
      case 'h':
      case 'l':
        if (parameters === '?7') this.#breaks = final === 'h';
        break;
      case 'm':
        break;
      default:
        throw new Error(`unknown sequence ${parameters}${final}`);
    }
  }

  /** What is erased at the end of a row still counts to its length: the terminal keeps blanks there. */
  #eraseLine(from: number): void {
    const { text } = this.#line;
    if (text === '') return;
    this.#line.text = from === 0 ? '' : text.slice(0, from).padEnd(text.length);
    if (from > 0) return;
    this.#line.wraps = false;
    this.#endBefore(this.#y);
  }

  #eraseBelow(): void {
    // A screen that is erased as a whole goes into the scrollback.
    if (this.#x === 0 && this.#y === this.#top) {
      const used = this.#lines.slice(this.#top).findLastIndex(({ text }) => text !== '') + 1;
      for (let y = this.#top + used; y < this.#lines.length; y += 1) this.#lines[y] = { text: '', wraps: false };
      this.#addBlank(used);
      this.#y = this.#top;
      if (used > 0) this.#takenBack = 0;
      return;
    }
    this.#eraseLine(this.#x);
    this.#endBefore(this.#y + 1);
    for (let y = this.#y + 1; y < this.#lines.length; y += 1) this.#lines[y] = { text: '', wraps: false };
  }

  /** The line above does not go on there. */
  #endBefore(y: number): void {
    const before = this.#lines[y - 1];
    if (before !== undefined) before.wraps = false;
  }
}
