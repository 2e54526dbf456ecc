import { MAX_TAIL_BYTES, MAX_TAIL_TEXTS, tailedHeadSchema } from '../contracts/ipc-message.ts';
import type { TailedHead } from '../contracts/ipc-message.ts';
import { decodeUtf8 } from '../lib/text/decode-utf8.ts';
import { MAX_JSON_DEPTH, parseStrictJson } from '../lib/strict-json.ts';

/**
 * Long texts of a message travel behind its JSON, as they are: a file's content is neither escaped nor scanned for structure. Whoever
 * reads the message finds strings where strings were sent; schemas and handlers know nothing of it.
 */

/** Below this a text costs less inside the JSON. */
export const MIN_LIFTED_CHARACTERS = 4_096;
/** The message lies one level deeper in the head of a tailed frame than in a plain one. */
export const TAILED_HEAD_DEPTH = MAX_JSON_DEPTH + 1;

export interface Lifted {
  readonly head: TailedHead;
  /** In the order of the head's table. */
  readonly texts: readonly string[];
  /** Of all texts in UTF-8. */
  readonly bytes: number;
}

/**
 * Takes the long texts out of a message that is about to become JSON; the message itself is left as it is. Null: it has none. What doesn't fit
 * into a tail stays in the JSON, as does a text with half a surrogate pair: UTF-8 could not give it back.
 */
export function liftLongTexts(message: unknown): Lifted | null {
  const table: { at: (string | number)[]; bytes: number }[] = [];
  const texts: string[] = [];
  const path: (string | number)[] = [];
  let total = 0;

  const lift = (text: string): string | null => {
    if (text.length < MIN_LIFTED_CHARACTERS || path.length === 0 || texts.length === MAX_TAIL_TEXTS) return text;
    const bytes = Buffer.byteLength(text);
    if (total + bytes > MAX_TAIL_BYTES || !text.isWellFormed()) return text;
    total += bytes;
    table.push({ at: [...path], bytes });
    texts.push(text);
    return null;
  };
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return lift(value);
    // What is nested deeper is refused anyway, and may be a circle.
    if (typeof value !== 'object' || value === null || path.length === MAX_JSON_DEPTH) return value;
    if (isArray(value)) return walkMembers(value, value.entries(), () => [...value]);
    if ('toJSON' in value) return value;
    return walkMembers(value, Object.entries(value), () => ({ ...value }));
  };
  /** The same value when nothing was lifted from it, otherwise a copy. */
  const walkMembers = (value: object, members: Iterable<[string | number, unknown]>, copy: () => object): object => {
    let result = value;
    for (const [key, member] of members) {
      path.push(key);
      const walked = walk(member);
      path.pop();
      if (walked === member) continue;
      if (result === value) result = copy();
      Reflect.set(result, key, walked);
    }
    return result;
  };

  const walked = walk(message);
  return texts.length === 0 ? null : { head: { message: walked, texts: table }, texts, bytes: total };
}

function isArray(value: object): value is readonly unknown[] {
  return Array.isArray(value);
}

export type ReadMessage =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

/** The message of a frame, plain or tailed. The other side may be hostile: a text goes where the head has null, and nowhere else. */
export function readMessage(head: Buffer, tail: Buffer | null): ReadMessage {
  if (tail === null) return parseStrictJson(head);
  const parsed = parseStrictJson(head, TAILED_HEAD_DEPTH);
  if (!parsed.ok) return parsed;
  const tailed = tailedHeadSchema.safeParse(parsed.value);
  if (!tailed.success) return refuse('a tail but no table of its texts');
  const { message, texts } = tailed.data;
  let start = 0;
  for (const { at, bytes } of texts) {
    const end = start + bytes;
    if (end > tail.length) return refuse('a tail shorter than its texts');
    const text = decodeUtf8(tail.subarray(start, end));
    if (text === null) return refuse('invalid UTF-8');
    if (!fill(message, at, text)) return refuse('a text that has no place');
    start = end;
  }
  return start === tail.length ? { ok: true, value: message } : refuse('a tail longer than its texts');
}

function refuse(reason: string): ReadMessage {
  return { ok: false, reason };
}

/** Only own members and elements that are there: a name like `length` or `constructor` leads nowhere else. */
function fill(message: unknown, at: readonly (string | number)[], text: string): boolean {
  let holder = message;
  for (const [depth, key] of at.entries()) {
    if (!holds(holder, key)) return false;
    const member: unknown = Reflect.get(holder, key);
    if (depth < at.length - 1) holder = member;
    else return member === null && Reflect.set(holder, key, text);
  }
  return false;
}

function holds(holder: unknown, key: string | number): holder is object {
  if (typeof holder !== 'object' || holder === null) return false;
  return Array.isArray(holder) === (typeof key === 'number') && Object.hasOwn(holder, key);
}
