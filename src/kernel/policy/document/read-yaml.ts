import { EVENT_ID, NOT_RESOLVED, SCALAR_STYLE, YAMLException, getScalarValue, parseEvents } from 'js-yaml';
import { boolCoreTag, floatCoreTag, intCoreTag, nullCoreTag } from 'js-yaml';
import type { AliasEvent, Event, MappingEvent, ScalarEvent, SequenceEvent } from 'js-yaml';
import type { PolicyDiagnostic } from '../../../contracts/policy.ts';
import { lineStarts, placeOf } from './places.ts';
import type { Place } from './places.ts';

/** Plain data with the place of each part. */
export interface YamlTree {
  /** Objects without a prototype, arrays, strings, numbers, booleans, null. Shared where the document shares them by aliases. */
  readonly value: unknown;
  /** Where the value at this path is, or its key if `ofKey`; the nearest existing parent where there is none. */
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

/** A value where it is defined. An alias of it counts as all of `values`, and reaches down as far as `levels`. */
interface Part {
  readonly start: number;
  readonly value: unknown;
  readonly values: number;
  readonly levels: number;
  /** By key or index. */
  readonly children: ReadonlyMap<PropertyKey, Child>;
}

interface Child {
  /** Of the key; of the value itself in a sequence. */
  readonly keyStart: number;
  /** Of the value, or of the alias that stands for it. */
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
 * Reads one YAML 1.2 document of the core schema. Refused besides what YAML refuses: duplicate keys, tags, keys that are not text, several
 * documents, and aliases that add up to more than a bounded number of values (so no alias bomb unfolds) or that contain themselves.
 */
export function readYaml(text: string, file: string): ReadYaml {
  if (text.length > MAX_TEXT_CHARACTERS) {
    return invalid(text, file, [{ start: 0, message: `the file is longer than ${MAX_TEXT_CHARACTERS} characters` }]);
  }
  if (!text.isWellFormed() || text.includes('\uFFFD')) {
    return invalid(text, file, [{ start: 0, message: 'the file is not valid UTF-8' }]);
  }
  try {
    const builder = new TreeBuilder(text, parseEvents(text, { maxDepth: MAX_DEPTH + 2 }));
    const root = builder.document();
    if (builder.problems.length > 0) return invalid(text, file, builder.problems);
    return root === null ? { kind: 'empty' } : { kind: 'ok', tree: treeOf(root, text) };
  } catch (error) {
    if (error instanceof Refused) return invalid(text, file, [{ start: error.start, message: error.message }]);
    if (error instanceof YAMLException)
      return invalid(text, file, [{ start: error.mark?.position ?? 0, message: error.reason }]);
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

/** Makes the parser's flat list of events into parts. */
class TreeBuilder {
  /** What is wrong without standing in the way of reading on. */
  readonly problems: Problem[] = [];
  readonly #text: string;
  readonly #events: readonly Event[];
  #at = 0;
  #values = 0;
  /** `open` while what the anchor names is still being read. */
  readonly #anchors = new Map<string, Part | 'open'>();

  constructor(text: string, events: readonly Event[]) {
    this.#text = text;
    this.#events = events;
  }

  /** null: nothing but blanks and comments. */
  document(): Part | null {
    if (this.#events.length === 0) return null;
    this.#at = 1;
    const root = this.#child(0);
    if (this.#events.length > this.#at + 1) {
      const second = this.#text.search(/\n(?:---|\.\.\.)/);
      throw new Refused(second + 1, 'multiple documents in one file are not allowed');
    }
    return root.part.value === null && root.part.start === -1 ? null : root.part;
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
    if (part === undefined) throw new Refused(start, `unknown anchor "${name}"`);
    if (part === 'open') throw new Refused(start, `the anchor "${name}" contains itself`);
    this.#count(start, depth + part.levels, part.values);
    return part;
  }

  #named(event: ScalarEvent | SequenceEvent | MappingEvent, depth: number): Part {
    if (event.tagStart !== -1) {
      const tag = this.#text.slice(event.tagStart, event.tagEnd);
      this.problems.push({ start: event.tagStart, message: `the tag "${tag}" is not allowed` });
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
      this.#count(start, depth, 1);
      return { start, value: valueOf(this.#text, event), values: 1, levels: 0, children: NO_CHILDREN };
    }
    this.#count(event.start, depth, 1);
    const before = this.#values - 1;
    const children = new Map<PropertyKey, Child>();
    const value =
      event.type === EVENT_ID.SEQUENCE ? this.#sequence(children, depth) : this.#mapping(children, depth, event.start);
    this.#at += 1;
    let levels = 0;
    for (const { part } of children.values()) levels = Math.max(levels, part.levels + 1);
    return { start: event.start, value, values: this.#values - before, levels, children };
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
        this.problems.push({ start: keyStart, message: `keys must be unique, "${name}" is there twice` });
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

  #count(start: number, depth: number, values: number): void {
    this.#values += values;
    if (this.#values > MAX_VALUES) throw new Refused(start, `the file unfolds to more than ${MAX_VALUES} values`);
    if (depth > MAX_DEPTH) throw new Refused(start, `the file is nested more than ${MAX_DEPTH} deep`);
  }
}

/** The quote of quoted text; -1 where nothing is written at all. */
function startOf({ style, valueStart }: ScalarEvent): number {
  const isQuoted = style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;
  return isQuoted ? valueStart - 1 : valueStart;
}

const CORE_TAGS = [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag];

/** By the core schema; quoted text and blocks are text. */
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
