import { EVENT_ID, NOT_RESOLVED, SCALAR_STYLE, YAMLException, getScalarValue, parseEvents } from 'js-yaml';
import { boolCoreTag, floatCoreTag, intCoreTag, nullCoreTag } from 'js-yaml';
import type { AliasEvent, Event, MappingEvent, ScalarEvent, SequenceEvent } from 'js-yaml';
import type { PolicyDiagnostic } from '../../../contracts/policy.ts';
import { excerpt, quoted } from './excerpt.ts';
import { lineStarts, placeOf } from './places.ts';
import type { Place } from './places.ts';
import { quotingHint, quotingHintAt } from './quoting-hint.ts';

/** Plain data with the position of each part. */
export interface YamlTree {
  /**
   * Objects without a prototype, arrays, strings, numbers, booleans, null. Parts that the document shares by aliases
   * are shared here too.
   */
  readonly value: unknown;
  /**
   * The place of the value at this path, or of its key if `ofKey`; of the nearest existing parent if there is no such
   * value.
   */
  locate(path: readonly PropertyKey[], ofKey?: boolean): Place;
}

export type ReadYaml =
  | { readonly kind: 'ok'; readonly tree: YamlTree }
  | { readonly kind: 'empty' }
  | { readonly kind: 'invalid'; readonly errors: readonly PolicyDiagnostic[] };

/** A policy of ten thousand rules has about half a million bytes and a hundred thousand values. */
const MAX_TEXT_CHARACTERS = 8 * 1024 * 1024;
const MAX_VALUES = 500_000;
const MAX_DEPTH = 32;

/**
 * A value where it is defined. An alias of it counts its `values` and `characters` in full, and is as deep as `levels`.
 */
interface Part {
  readonly start: number;
  readonly value: unknown;
  readonly values: number;
  /** Number of characters of all text in it. */
  readonly characters: number;
  readonly levels: number;
  /** By key or index. */
  readonly children: ReadonlyMap<PropertyKey, Child>;
}

interface Child {
  /** Start of the key; in a sequence, of the value itself. */
  readonly keyStart: number;
  /** Start of the value, or of the alias that refers to it. */
  readonly start: number;
  readonly part: Part;
}

interface Problem {
  readonly start: number;
  readonly message: string;
}

class Refused extends Error {
  readonly start: number;
  constructor(start: number, message: string) {
    super(message);
    this.start = start;
  }
}

/**
 * Reads one YAML 1.2 document of the core schema. Also refused, beyond what YAML refuses: duplicate keys, tags, keys
 * that are not text, several documents, and aliases that contain themselves or expand to more values than the limit (so
 * that no alias bomb expands).
 */
export function readYaml(text: string, file: string): ReadYaml {
  if (text.length > MAX_TEXT_CHARACTERS) {
    return invalid(text, file, [{ start: 0, message: `the file is longer than ${MAX_TEXT_CHARACTERS} characters` }]);
  }
  const damaged = text.search(/[\p{Cs}\uFFFD]/u);
  if (damaged >= 0) return invalid(text, file, [{ start: damaged, message: 'the file is not valid UTF-8 here' }]);
  try {
    const builder = new TreeBuilder(text, parseEvents(text, { maxDepth: MAX_DEPTH + 2 }));
    const root = builder.document();
    if (builder.problems.length > 0) return invalid(text, file, builder.problems);
    return root === null ? { kind: 'empty' } : { kind: 'ok', tree: treeOf(root, text) };
  } catch (error) {
    if (error instanceof Refused) return invalid(text, file, [{ start: error.start, message: error.message }]);
    if (error instanceof YAMLException) {
      const start = error.mark?.position ?? 0;
      return invalid(text, file, [{ start, message: `${excerpt(error.reason, 200)}${quotingHintAt(text, start)}` }]);
    }
    throw error;
  }
}

function invalid(text: string, file: string, problems: readonly Problem[]): ReadYaml {
  const starts = lineStarts(text);
  const errors = problems.map(({ start, message }) => {
    return { file, ...placeOf(starts, start), message, severity: 'error' as const };
  });
  return { kind: 'invalid', errors };
}

function treeOf(root: Part, text: string): YamlTree {
  let starts: readonly number[] | null = null;
  return {
    value: root.value,
    locate(path, ofKey = false) {
      let { start } = root;
      let part = root;
      for (const [index, step] of path.entries()) {
        const child = part.children.get(step);
        if (child === undefined) break;
        start = ofKey && index === path.length - 1 ? child.keyStart : child.start;
        part = child.part;
      }
      return placeOf((starts ??= lineStarts(text)), start);
    },
  };
}

const NO_CHILDREN: ReadonlyMap<PropertyKey, Child> = new Map();

/** Turns the parser's flat list of events into parts. */
class TreeBuilder {
  /** Faults that do not stop the reading. */
  readonly problems: Problem[] = [];
  readonly #text: string;
  readonly #events: readonly Event[];
  #at = 0;
  #values = 0;
  #characters = 0;
  /** `open` while the anchored value is still being read. */
  readonly #anchors = new Map<string, Part | 'open'>();

  constructor(text: string, events: readonly Event[]) {
    this.#text = text;
    this.#events = events;
  }

  /** null if there are only blanks and comments. */
  document(): Part | null {
    if (this.#events.length === 0) return null;
    this.#at = 1;
    const root = this.#child(0);
    if (this.#events.length > this.#at + 1) {
      throw new Refused(this.#secondDocument(), 'multiple documents in one file are not allowed');
    }
    return root.part.value === null && root.part.start === -1 ? null : root.part;
  }

  /**
   * Three dashes or dots at the beginning of a line are always a document marker. Only the first dashes may open the
   * first document.
   */
  #secondDocument(): number {
    const marks = [...this.#text.matchAll(/(?:^|[\r\n])\uFEFF?(?:---|\.\.\.)(?=\s|$)/g)];
    const first = this.#events[0];
    const isOpened = first?.type === EVENT_ID.DOCUMENT && first.explicitStart;
    const mark = marks[isOpened ? 1 : 0];
    return mark === undefined ? 0 : mark.index + mark[0].length - 3;
  }

  #child(depth: number): Omit<Child, 'keyStart'> {
    const event = this.#next();
    switch (event.type) {
      case EVENT_ID.ALIAS:
        return { start: event.anchorStart - 1, part: this.#alias(event, depth) };
      case EVENT_ID.SCALAR:
      case EVENT_ID.SEQUENCE:
      case EVENT_ID.MAPPING: {
        const part = this.#named(event, depth);
        return { start: part.start, part };
      }
      case EVENT_ID.DOCUMENT:
      case EVENT_ID.POP:
        throw new Error('the YAML parser closed what it had not opened');
    }
  }

  #alias(event: AliasEvent, depth: number): Part {
    const start = event.anchorStart - 1;
    const name = this.#text.slice(event.anchorStart, event.anchorEnd);
    const part = this.#anchors.get(name);
    if (part === undefined) throw new Refused(start, `unknown anchor ${quoted(name)}${quotingHint(`*${name}`)}`);
    if (part === 'open') throw new Refused(start, `the anchor ${quoted(name)} contains itself`);
    this.#count(start, depth + part.levels, part.values, part.characters);
    return part;
  }

  #named(event: ScalarEvent | SequenceEvent | MappingEvent, depth: number): Part {
    if (event.tagStart !== -1) {
      const tag = this.#text.slice(event.tagStart, event.tagEnd);
      this.problems.push({
        start: event.tagStart,
        message: `the tag ${quoted(tag)} is not allowed${quotingHint(tag)}`,
      });
    }
    if (event.anchorStart === -1) return this.#part(event, depth);
    const name = this.#text.slice(event.anchorStart, event.anchorEnd);
    this.#anchors.set(name, 'open');
    const part = this.#part(event, depth);
    this.#anchors.set(name, part);
    return part;
  }

  #part(event: ScalarEvent | SequenceEvent | MappingEvent, depth: number): Part {
    if (event.type === EVENT_ID.SCALAR) {
      const start = startOf(event);
      const value = valueOf(this.#text, event);
      const characters = typeof value === 'string' ? value.length : 0;
      this.#count(start, depth, 1, characters);
      return { start, value, values: 1, characters, levels: 0, children: NO_CHILDREN };
    }
    this.#count(event.start, depth, 1, 0);
    const before = { values: this.#values - 1, characters: this.#characters };
    const children = new Map<PropertyKey, Child>();
    const value =
      event.type === EVENT_ID.SEQUENCE ? this.#sequence(children, depth) : this.#mapping(children, depth, event.start);
    this.#at += 1;
    let levels = 0;
    for (const { part } of children.values()) levels = Math.max(levels, part.levels + 1);
    const [values, characters] = [this.#values - before.values, this.#characters - before.characters];
    return { start: event.start, value, values, characters, levels, children };
  }

  #sequence(children: Map<PropertyKey, Child>, depth: number): readonly unknown[] {
    const items: unknown[] = [];
    while (!this.#atEnd()) {
      const child = this.#child(depth + 1);
      children.set(items.length, { ...child, keyStart: child.start });
      items.push(child.part.value);
    }
    return items;
  }

  #mapping(children: Map<PropertyKey, Child>, depth: number, start: number): Readonly<Record<string, unknown>> {
    const mapping = Object.create(null) as Record<string, unknown>;
    while (!this.#atEnd()) {
      const key = this.#child(depth + 1);
      const name = key.part.value;
      const keyStart = key.start === -1 ? start : key.start;
      const value = this.#child(depth + 1);
      if (typeof name !== 'string') this.problems.push({ start: keyStart, message: 'a key must be text' });
      else if (children.has(name))
        this.problems.push({ start: keyStart, message: `keys must be unique, ${quoted(name)} is there twice` });
      else {
        mapping[name] = value.part.value;
        children.set(name, { ...value, start: value.start === -1 ? keyStart : value.start, keyStart });
      }
    }
    return mapping;
  }

  #atEnd(): boolean {
    return this.#events[this.#at]?.type === EVENT_ID.POP;
  }

  #next(): Event {
    const event = this.#events[this.#at];
    if (event === undefined) throw new Error('the YAML parser left something open');
    this.#at += 1;
    return event;
  }

  #count(start: number, depth: number, values: number, characters: number): void {
    this.#values += values;
    this.#characters += characters;
    if (this.#characters > MAX_TEXT_CHARACTERS)
      throw new Refused(start, `the file unfolds to more than ${MAX_TEXT_CHARACTERS} characters`);
    if (this.#values > MAX_VALUES) throw new Refused(start, `the file unfolds to more than ${MAX_VALUES} values`);
    if (depth > MAX_DEPTH) throw new Refused(start, `the file is nested more than ${MAX_DEPTH} deep`);
  }
}

/** For quoted text, the position of the quote; -1 if nothing is written. */
function startOf({ style, valueStart }: ScalarEvent): number {
  const isQuoted = style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;
  return isQuoted ? valueStart - 1 : valueStart;
}

const CORE_TAGS = [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag];

/** The value by the core schema. Quoted text and block text are strings. */
function valueOf(text: string, event: ScalarEvent): unknown {
  const source = getScalarValue(text, event);
  if (event.style !== SCALAR_STYLE.PLAIN) return source;
  const first = source.charAt(0);
  for (const tag of CORE_TAGS) {
    if (tag.implicitFirstChars !== null && !tag.implicitFirstChars.includes(first)) continue;
    const value: unknown = tag.resolve(source, false, tag.tagName);
    if (value !== NOT_RESOLVED) return value;
  }
  return source;
}
