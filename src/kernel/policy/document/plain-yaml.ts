/** The bounds of any document; the same for whoever reads it. */
export interface YamlLimits {
  readonly maxValues: number;
  readonly maxDepth: number;
}

/**
 * Reads YAML of the plain kind in which nearly all policies are written, ten times as quickly as the library does: block mappings and
 * sequences, flow collections and scalars on one line each, comments, aliases of what a mapping anchors, or all of it as JSON.
 * undefined: it is of another kind, or wrong.
 *
 * What it returns is what the library returns; whatever it is not sure of (tags, text of several lines, any character but printable
 * ASCII, odd indentation, numbers in unusual notation, duplicate keys, …) it leaves to the library.
 */
export function readPlainYaml(text: string, limits: YamlLimits): unknown {
  if (!/^[\n -~]*$/.test(text) || /^(?:---|\.\.\.|%)/m.test(text)) return undefined;
  return new PlainReader(text, limits).document();
}

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Sticky, each: tried where the reader stands. What follows a scalar is looked at by whoever reads it. */
const BLANK = /(?: *(?:#.*)?\n)* */y;
const LINE_END = / *(?: #.*)?(?=\n|$)/y;
const GAP = /[ \n]/y;
const SPACES = / */y;
const ANY_SPACE = /[ \n]*/y;
const ITEM = /- +(?=[^ \n#])/y;
/** Of no alias: that is an error. */
const ANCHOR = / +&[\w-]+(?=[ \n])(?! *\*)/y;
const ALIAS = /\*[\w-]+(?=[ \n,\]}]|$)/y;
const DOUBLE_QUOTED = /"(?:[^"\\\n]|\\["\\/nt])*"/y;
const SINGLE_QUOTED = /'(?:[^'\n]|'')*'/y;
const BLOCK_KEY = /[A-Za-z_./][\w./*-]*(?=:[ \n])/y;
const FLOW_KEY = /[A-Za-z_./][\w./*-]*(?=: )/y;
/** A colon before a space and a number sign after one would end the text; quotes and the like mean nothing inside of it. */
const BLOCK_TEXT = /(?:[\w./\\(]|-(?=\d))(?:[^ :#\n]|:(?=[^ \n])|(?<! )#| +(?=[^ :#\n]))*/y;
const FLOW_TEXT = /(?:[\w./\\(]|-(?=\d))(?:[^ :#\n,[\]{}]|:(?=[^ \n,[\]{}])| +(?=[^ :#\n,[\]{}]))*/y;

const MAX_KEY_LENGTH = 200;

/** A value that has a name, with how many values it has in all and how many levels it reaches down: an alias counts as what it stands for. */
interface Anchored {
  readonly value: Json;
  readonly values: number;
  readonly levels: number;
}

class PlainReader {
  readonly #text: string;
  readonly #limits: YamlLimits;
  #at = 0;
  /** The column of the line that comes next, and so of what stands at `#at` when a line begins. */
  #indent = 0;
  #values = 0;
  /** The deepest level so far, of the anchored value that is being read. */
  #deepest = 0;
  readonly #anchors = new Map<string, Anchored>();

  constructor(text: string, limits: YamlLimits) {
    this.#text = text;
    this.#limits = limits;
  }

  document(): Json | undefined {
    this.#toNextLine();
    const value =
      this.#text[this.#at] === '{' || this.#text[this.#at] === '[' ? this.#flow(0, ANY_SPACE) : this.#block(0);
    if (value === undefined || this.#take(LINE_END) === undefined) return undefined;
    this.#toNextLine();
    return this.#at === this.#text.length ? value : undefined;
  }

  /** A mapping or sequence whose lines begin in the present column. Ends before the first line that begins in another. */
  #block(depth: number): Json | undefined {
    return this.#looksAt(ITEM) ? this.#blockSequence(depth) : this.#blockMapping(depth);
  }

  #blockSequence(depth: number): Json | undefined {
    if (!this.#count(depth)) return undefined;
    const column = this.#indent;
    const items: Json[] = [];
    while (this.#indent === column) {
      const dash = this.#take(ITEM);
      if (dash === undefined) break;
      this.#indent = column + dash.length;
      const isMapping = this.#looksAt(BLOCK_KEY) || this.#looksAtQuotedKey();
      const item = isMapping ? this.#blockMapping(depth + 1) : this.#inline(depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items;
  }

  #blockMapping(depth: number): Json | undefined {
    if (!this.#count(depth)) return undefined;
    const column = this.#indent;
    const mapping = newMapping();
    do {
      const key = this.#key(BLOCK_KEY);
      if (key === undefined || key in mapping) return undefined;
      const value = this.#valueOf(column, depth + 1);
      if (value === undefined) return undefined;
      mapping[key] = value;
    } while (this.#indent === column && this.#at < this.#text.length && !this.#looksAt(ITEM));
    return mapping;
  }

  /** What comes after the colon of a key in this column: on its line, or on deeper lines, or as a sequence in the same column. */
  #valueOf(column: number, depth: number): Json | undefined {
    if (!this.#looksAt(GAP)) return undefined;
    const anchor = this.#take(ANCHOR)?.trimStart().slice(1);
    if (anchor !== undefined) return this.#anchored(anchor, column, depth);
    if (this.#take(LINE_END) === undefined) return this.#inline(depth);
    this.#toNextLine();
    if (this.#indent > column || (this.#indent === column && this.#looksAt(ITEM))) return this.#block(depth);
    return undefined;
  }

  #anchored(name: string, column: number, depth: number): Json | undefined {
    if (this.#anchors.has(name)) return undefined;
    const valuesBefore = this.#values;
    const deepestBefore = this.#deepest;
    this.#deepest = depth;
    let value: Json | undefined;
    if (this.#take(LINE_END) === undefined) value = this.#inline(depth);
    else {
      this.#toNextLine();
      value = this.#indent > column ? this.#block(depth) : undefined;
    }
    if (value === undefined) return undefined;
    this.#anchors.set(name, { value, values: this.#values - valuesBefore, levels: this.#deepest - depth });
    this.#deepest = Math.max(this.#deepest, deepestBefore);
    return value;
  }

  #alias(depth: number): Json | undefined {
    const anchored = this.#anchors.get(this.#take(ALIAS)?.slice(1) ?? '');
    if (anchored === undefined) return undefined;
    return this.#count(depth + anchored.levels, anchored.values) ? anchored.value : undefined;
  }

  /** A value to the end of its line. A deeper line after it would go on with it: no block takes that line, so the document is refused. */
  #inline(depth: number): Json | undefined {
    this.#skip(SPACES);
    const value = this.#value(depth, BLOCK_TEXT, SPACES);
    if (value === undefined || this.#take(LINE_END) === undefined) return undefined;
    this.#toNextLine();
    return value;
  }

  #value(depth: number, plainText: RegExp, space: RegExp): Json | undefined {
    const first = this.#text[this.#at];
    if (first === '{' || first === '[') return this.#flow(depth, space);
    if (!this.#count(depth)) return undefined;
    if (first === '*') return this.#alias(depth);
    if (first === '"' || first === "'") return this.#quoted();
    const text = this.#take(plainText);
    return text === undefined ? undefined : resolve(text);
  }

  #flow(depth: number, space: RegExp): Json | undefined {
    if (!this.#count(depth)) return undefined;
    const isMapping = this.#text[this.#at] === '{';
    const close = isMapping ? '}' : ']';
    const mapping = newMapping();
    const items: Json[] = [];
    this.#at += 1;
    this.#skip(space);
    if (this.#text[this.#at] === close) {
      this.#at += 1;
      return isMapping ? mapping : items;
    }
    for (;;) {
      const key = isMapping ? this.#key(FLOW_KEY) : '';
      if (key === undefined || key in mapping) return undefined;
      this.#skip(space);
      const value = this.#value(depth + 1, FLOW_TEXT, space);
      if (value === undefined) return undefined;
      if (isMapping) mapping[key] = value;
      else items.push(value);
      this.#skip(space);
      const next = this.#text[this.#at];
      this.#at += 1;
      if (next === close) return isMapping ? mapping : items;
      if (next !== ',') return undefined;
      this.#skip(space);
    }
  }

  /** With the colon after it. */
  #key(plainKey: RegExp): string | undefined {
    const first = this.#text[this.#at];
    const start = this.#at;
    const key = first === '"' || first === "'" ? this.#quoted() : resolve(this.#take(plainKey) ?? '~');
    if (typeof key !== 'string' || this.#text[this.#at] !== ':' || this.#at - start > MAX_KEY_LENGTH) return undefined;
    this.#at += 1;
    return key;
  }

  #looksAtQuotedKey(): boolean {
    const start = this.#at;
    const isKey = this.#quoted() !== undefined && this.#text[this.#at] === ':';
    this.#at = start;
    return isKey;
  }

  #quoted(): string | undefined {
    if (this.#text[this.#at] === "'") return this.#take(SINGLE_QUOTED)?.slice(1, -1).replaceAll("''", "'");
    const quoted = this.#take(DOUBLE_QUOTED);
    if (quoted === undefined) return undefined;
    return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
  }

  #toNextLine(): void {
    if (this.#text[this.#at] === '\n') this.#at += 1;
    this.#skip(BLANK);
    this.#indent = this.#at - (this.#text.lastIndexOf('\n', this.#at - 1) + 1);
  }

  #count(depth: number, values = 1): boolean {
    this.#values += values;
    this.#deepest = Math.max(this.#deepest, depth);
    return this.#values <= this.#limits.maxValues && depth <= this.#limits.maxDepth;
  }

  #looksAt(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    return pattern.test(this.#text);
  }

  #skip(pattern: RegExp): void {
    if (this.#looksAt(pattern)) this.#at = pattern.lastIndex;
  }

  #take(pattern: RegExp): string | undefined {
    if (!this.#looksAt(pattern)) return undefined;
    const start = this.#at;
    this.#at = pattern.lastIndex;
    return this.#text.slice(start, this.#at);
  }
}

function newMapping(): Record<string, Json> {
  return Object.create(null) as Record<string, Json>;
}

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ...['null', 'Null', 'NULL', '~'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
]);

/** What unquoted text stands for. */
function resolve(text: string): string | number | boolean | null | undefined {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (!/^[-.\d]/.test(text)) return text;
  if (/^(?:0|-?[1-9]\d{0,14})$/.test(text)) return Number(text);
  const isNoNumber = /[^-+.\da-fA-Fox]/.test(text) && !/^-?\.(?:inf|nan)$/i.test(text);
  return isNoNumber ? text : undefined;
}
