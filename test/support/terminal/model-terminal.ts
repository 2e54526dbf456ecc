interface Line {
  text: string;
  /** The text goes on in the next line: the terminal broke it itself. */
  wraps: boolean;
}

/** What is known of a terminal's size. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

const CONTROL = /^\x1b\[([?\d;]*)([@-~])$/;
const END_OF_LINE = Number.MAX_SAFE_INTEGER;

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
  #breaks = true;
  #sequence = '';

  constructor({ columns, rows }: TerminalSize) {
    this.#columns = columns;
    this.#rows = rows;
    this.#fill();
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
    while (this.#lines.length < this.#rows) this.#lines.push({ text: '', wraps: false });
  }

  #setRows(rows: number): void {
    const below = this.#lines.length - 1 - this.#y;
    const dropped = Math.min(below, Math.max(0, this.#rows - rows));
    if (dropped > 0) this.#lines.splice(-dropped);
    this.#rows = rows;
    this.#fill();
  }

  #setColumns(columns: number): void {
    let logicalLine = 0;
    let offset = 0;
    for (const { text, wraps } of this.#lines.slice(0, this.#y)) {
      offset = wraps ? offset + text.length : 0;
      logicalLine += wraps ? 0 : 1;
    }
    offset = this.#x >= this.#line.text.length ? END_OF_LINE : offset + this.#x;
    const whole = this.unbroken();
    this.#columns = columns;
    this.#lines = [];
    for (const [index, text] of whole.entries()) {
      const first = this.#lines.length;
      for (let at = 0; at === 0 || at < text.length; at += columns)
        this.#lines.push({ text: text.slice(at, at + columns), wraps: at + columns < text.length });
      if (index !== logicalLine) continue;
      const last = this.#lines.length - 1;
      this.#y = Math.min(last, first + Math.floor(offset / columns));
      this.#x = offset === END_OF_LINE ? (this.#lines[last]?.text.length ?? 0) : offset % columns;
    }
    this.#fill();
  }

  #take(character: string): void {
    if (this.#sequence !== '' || character === '\x1b') {
      this.#sequence += character;
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
      if (this.#breaks) {
        this.#line.wraps = true;
        this.#lineFeed();
      } else this.#x = this.#columns - 1;
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
    this.#x += run.length;
  }

  /** As the system sends it: with a carriage return. */
  #lineFeed(): void {
    this.#x = 0;
    this.#y += 1;
    if (this.#y === this.#lines.length) this.#lines.push({ text: '', wraps: false });
  }

  #control(final: string, parameters: string): void {
    const count = Math.max(1, Number(parameters));
    switch (final) {
      case 'A':
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

  #eraseLine(from: number): void {
    this.#line.text = this.#line.text.slice(0, from);
    if (from > 0) return;
    this.#line.wraps = false;
    const before = this.#lines[this.#y - 1];
    if (before !== undefined) before.wraps = false;
  }

  #eraseBelow(): void {
    // A screen that is erased as a whole goes into the scrollback.
    if (this.#x === 0 && this.#y === this.#top) {
      const blank = Array.from({ length: this.#rows }, () => ({ text: '', wraps: false }));
      this.#lines.push(...blank);
      this.#y = this.#top;
      return;
    }
    this.#eraseLine(this.#x);
    for (let y = this.#y + 1; y < this.#lines.length; y += 1) this.#lines[y] = { text: '', wraps: false };
  }
}
