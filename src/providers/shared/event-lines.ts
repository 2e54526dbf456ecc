/** An event of a stream, as all vendors' libraries read it: one line of data, a name where it has one. */
export interface StreamEvent {
  readonly name: string | null;
  readonly data: string;
}

/** More than an answer with everything around it; what is larger would fill the memory. */
const MAX_EVENT_CHARACTERS = 16 * 1024 * 1024;
/** How often the data of one event is parsed to see whether it is complete. Each time all of it is read. */
const MAX_CHECKS = 8;
/** What the last event of some streams says. */
const LAST = '[DONE]';
/** Fields that mean nothing here; the nameless one is a comment. */
const IGNORED: ReadonlySet<string> = new Set(['', 'id', 'retry']);

/** A server that sends no end of an event. */
export class EventTooLarge extends Error {
  constructor() {
    super(`an event of more than ${MAX_EVENT_CHARACTERS / (1024 * 1024)} MiB`);
    this.name = 'EventTooLarge';
  }
}

/**
 * Reads the events of a stream as the specification of server-sent events has them, and what servers make of it: comments, ids and blanks within an event, data over
 * several lines, any line break, no empty line between two events or behind the last one. The vendors' libraries differ in what of that they understand.
 */
export class EventLines {
  /** Of the line that is not complete yet. */
  #line: string[] = [];
  #characters = 0;
  #endedWithReturn = false;
  #name: string | null = null;
  #data: string[] = [];
  #checks = 0;
  #hasEvent = false;
  #hasOther = false;

  /** Whether the stream had something in it that no such stream has, and no event. */
  get isForeign(): boolean {
    return this.#hasOther && !this.#hasEvent;
  }

  /** The events that are complete with this piece. Throws EventTooLarge. */
  take(text: string): StreamEvent[] {
    const piece = this.#endedWithReturn && text.startsWith('\n') ? text.slice(1) : text;
    if (text === '') return [];
    this.#endedWithReturn = text.endsWith('\r');
    const [first = '', ...others] = piece.split(/\r\n|\n|\r/);
    this.#grow(first);
    const events: StreamEvent[] = [];
    for (const next of others) {
      events.push(...this.#takeLine(this.#line.join('')));
      this.#line = [];
      this.#grow(next);
    }
    return events;
  }

  /** What is left at the end of the stream, if it is complete: a server may leave out the last empty line, and a connection may be cut anywhere. */
  end(): StreamEvent[] {
    const line = this.#line.join('');
    const last = line === '' ? [] : this.#takeLine(line);
    return [...last, ...(this.#isComplete() ? this.#dispatch() : [])];
  }

  #grow(text: string): void {
    this.#characters += text.length;
    if (this.#characters > MAX_EVENT_CHARACTERS) throw new EventTooLarge();
    this.#line.push(text);
  }

  #takeLine(line: string): StreamEvent[] {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') {
      const before = this.#name !== null && this.#isComplete() ? this.#dispatch() : [];
      this.#name = value;
      return before;
    }
    if (field !== 'data') {
      this.#hasOther ||= !IGNORED.has(field);
      return [];
    }
    const before = (value.startsWith('{') || value === LAST) && this.#isComplete() ? this.#dispatch() : [];
    this.#data.push(value);
    return before;
  }

  /** Called only where an event may have no end of its own. After MAX_CHECKS only an empty line ends it. */
  #isComplete(): boolean {
    if (this.#data.length === 0 || this.#checks === MAX_CHECKS) return false;
    this.#checks += 1;
    const data = this.#data.join('\n');
    if (data === LAST) return true;
    try {
      return data !== '' && JSON.parse(data) !== null;
    } catch {
      return false;
    }
  }

  /** Data that is no object is of no vendor's protocol. */
  #dispatch(): StreamEvent[] {
    // No text within JSON has a line break, and not each library takes one between.
    const data = this.#data.join(' ').trim();
    const name = this.#name;
    this.#data = [];
    this.#name = null;
    this.#checks = 0;
    this.#characters = 0;
    const isEvent = data.startsWith('{') || data === LAST;
    this.#hasEvent ||= isEvent;
    this.#hasOther ||= !isEvent && data !== '';
    return isEvent ? [{ name, data }] : [];
  }
}
