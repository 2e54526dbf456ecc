import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_TAIL_BYTES, MAX_TAIL_TEXTS } from '../../src/contracts/ipc-message.ts';
import { MIN_LIFTED_CHARACTERS, liftLongTexts, readMessage } from '../../src/ipc/tail.ts';
import type { ReadMessage } from '../../src/ipc/tail.ts';

const long = 'x'.repeat(MIN_LIFTED_CHARACTERS);

/** There and back, as the two sides do it. */
function acrossTheWire(message: unknown): unknown {
  const lifted = liftLongTexts(message);
  if (lifted === null) return JSON.parse(JSON.stringify(message));
  const read = readMessage(Buffer.from(JSON.stringify(lifted.head)), Buffer.from(lifted.texts.join('')));
  if (!read.ok) throw new Error(read.reason);
  return read.value;
}

function readHead(head: unknown, tail: string | Buffer): ReadMessage {
  return readMessage(Buffer.from(JSON.stringify(head)), Buffer.from(tail));
}

describe('long texts of a message', () => {
  it('come back where they were, whatever the message is', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 4 }).map((part) => part.repeat(MIN_LIFTED_CHARACTERS)),
    );
    const { message } = fc.letrec((tie) => ({
      message: fc.oneof(
        { depthSize: 'small' },
        fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
        fc.array(tie('message'), { maxLength: 4 }),
        fc.dictionary(
          fc.string({ maxLength: 6 }).filter((key) => key !== '__proto__'),
          tie('message'),
          { maxKeys: 4, noNullPrototype: true },
        ),
      ),
    }));
    fc.assert(
      fc.property(message, (value) => {
        const before = JSON.stringify(value);
        expect(acrossTheWire(value)).toEqual(JSON.parse(before));
        // The sender's own object is never touched.
        expect(JSON.stringify(value)).toBe(before);
      }),
      { seed: 17, numRuns: 200 },
    );
  });

  it.each<[string, unknown]>([
    ['a byte order mark', { a: `\ufeff${long}` }],
    ['characters outside the first plane', { a: '🦊'.repeat(3_000) }],
    ['half a surrogate pair', { a: `${long}\ud83e` }],
    ['a member named constructor', { constructor: long, length: long }],
    ['an element of an array', [[1, long], long]],
    ['the same text twice', { a: long, b: long }],
    ['a member that is left out', { a: undefined, b: long }],
    ['an object that says how it becomes JSON', { at: new Date(0), b: long }],
  ])('keep %s', (_name, message) => {
    expect(acrossTheWire(message)).toEqual(JSON.parse(JSON.stringify(message)));
  });

  it.each<[string, unknown]>([
    ['short ones', { a: long.slice(1) }],
    ['a message that is nothing but a text', long],
    ['a text with half a surrogate pair', { a: `${long}\ud83e` }],
    ['a text that no tail can hold', { a: 'x'.repeat(MAX_TAIL_BYTES + 1) }],
  ])('are not taken out of the JSON: %s', (_name, message) => {
    expect(liftLongTexts(message)).toBeNull();
  });

  it('beyond what a tail holds stay in the JSON', () => {
    const half = 'x'.repeat(MAX_TAIL_BYTES / 2);
    expect(liftLongTexts([half, half, long])).toMatchObject({
      bytes: MAX_TAIL_BYTES,
      head: { message: [null, null, long] },
    });
    const many = Array.from({ length: MAX_TAIL_TEXTS + 1 }, () => long);
    expect(liftLongTexts(many)?.texts).toHaveLength(MAX_TAIL_TEXTS);
    expect(acrossTheWire(many)).toEqual(many);
  });

  it('are not looked for in a circle', () => {
    const circle: Record<string, unknown> = { a: long };
    circle['self'] = circle;
    expect(() => liftLongTexts(circle)).not.toThrow();
  });
});

describe('a head that is not to be believed', () => {
  const place = (at: unknown, message: unknown = { a: null }) => ({ message, texts: [{ at, bytes: 2 }] });

  it.each<[string, unknown, string]>([
    ['no such member', place(['b']), 'a text that has no place'],
    ['a member that is something', place(['a'], { a: 'said' }), 'a text that has no place'],
    ['a member of something that has none', place(['a', 'b'], { a: 'said' }), 'a text that has no place'],
    ['a member that all objects have', place(['constructor']), 'a text that has no place'],
    ['the prototype', place(['__proto__', 'a']), 'a text that has no place'],
    ['the length of an array', place(['length'], [null]), 'a text that has no place'],
    ['a member of an array', place(['0'], [null]), 'a text that has no place'],
    ['an element of an object', place([0], { 0: null }), 'a text that has no place'],
    ['an element behind the last', place([1], [null]), 'a text that has no place'],
    ['the message itself', place([], null), 'a tail but no table of its texts'],
    ['no message', { texts: [{ at: ['a'], bytes: 2 }] }, 'a tail but no table of its texts'],
    ['more members than allowed', { ...place(['a']), extra: 1 }, 'a tail but no table of its texts'],
    ['an empty table', { message: { a: null }, texts: [] }, 'a tail but no table of its texts'],
    ['an empty text', { message: { a: null }, texts: [{ at: ['a'], bytes: 0 }] }, 'a tail but no table of its texts'],
    ['half a byte', { message: { a: null }, texts: [{ at: ['a'], bytes: 1.5 }] }, 'a tail but no table of its texts'],
    [
      'less than nothing',
      { message: { a: null }, texts: [{ at: ['a'], bytes: -2 }] },
      'a tail but no table of its texts',
    ],
    [
      'one place twice',
      {
        message: { a: null },
        texts: [
          { at: ['a'], bytes: 1 },
          { at: ['a'], bytes: 1 },
        ],
      },
      'a text that has no place',
    ],
    [
      'a longer text than came',
      { message: { a: null }, texts: [{ at: ['a'], bytes: 3 }] },
      'a tail shorter than its texts',
    ],
    [
      'a shorter text than came',
      { message: { a: null }, texts: [{ at: ['a'], bytes: 1 }] },
      'a tail longer than its texts',
    ],
    [
      'more texts than are allowed',
      { message: [], texts: Array.from({ length: MAX_TAIL_TEXTS + 1 }, () => ({ at: [0], bytes: 1 })) },
      'a tail but no table of its texts',
    ],
  ])('names %s', (_name, head, reason) => {
    expect(readHead(head, 'ab')).toEqual({ ok: false, reason });
  });

  it.each<[string, Buffer]>([
    ['a lone continuation byte', Buffer.from([0x80, 0x61])],
    ['an overlong form', Buffer.from([0xc0, 0xaf])],
    ['a character cut in half', Buffer.from('é').subarray(0, 1)],
  ])('has a text of %s', (_name, tail) => {
    const head = { message: { a: null }, texts: [{ at: ['a'], bytes: tail.length }] };
    expect(readHead(head, tail)).toEqual({ ok: false, reason: 'invalid UTF-8' });
  });

  it('cuts a character between two texts', () => {
    const head = {
      message: [null, null],
      texts: [
        { at: [0], bytes: 1 },
        { at: [1], bytes: 1 },
      ],
    };
    expect(readHead(head, 'é')).toEqual({ ok: false, reason: 'invalid UTF-8' });
  });

  it('is held to the rules of all JSON here', () => {
    const read = (text: string) => readMessage(Buffer.from(text), Buffer.from('ab'));
    expect(read('{"message":{"a":null,"a":null},"texts":[]}')).toEqual({ ok: false, reason: 'duplicate key' });
    expect(read('{"message":{"__proto__":null},"texts":[]}')).toEqual({ ok: false, reason: 'key __proto__' });
    expect(read(`{"message":${'['.repeat(65)}${']'.repeat(65)},"texts":[]}`)).toEqual({
      ok: false,
      reason: 'nested too deeply',
    });
  });
});
