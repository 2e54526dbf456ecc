import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_FRAME_BYTES, MAX_HEAD_BYTES, MAX_TAIL_BYTES } from '../../src/contracts/ipc-message.ts';
import { FrameDecoder, encodeFrame } from '../../src/ipc/frame.ts';
import { MIN_LIFTED_CHARACTERS, readMessage } from '../../src/ipc/tail.ts';
import { MAX_JSON_DEPTH } from '../../src/lib/strict-json.ts';
import { lengths } from './peer-pair.ts';

function decodeAll(chunks: readonly Buffer[]): string[] {
  const payloads: string[] = [];
  const decoder = new FrameDecoder();
  for (const chunk of chunks) {
    const fault = decoder.push(chunk, (payload) => {
      payloads.push(payload.toString());
      return true;
    });
    expect(fault).toBeNull();
  }
  return payloads;
}

function nested(depth: number): unknown {
  return Array.from({ length: depth }).reduce<unknown>((inner) => [inner], 0);
}

describe('a frame', () => {
  it('is a big-endian length and the JSON', () => {
    expect(encodeFrame({ a: 'é' })).toEqual(Buffer.from([0, 0, 0, 10, ...Buffer.from('{"a":"é"}')]));
  });

  it('arrives whole however the bytes are cut', () => {
    const values = ['x', { a: [1, 2, { b: 'ü'.repeat(300) }] }, '', 'y'.repeat(70_000)];
    const bytes = Buffer.concat(values.map((value) => encodeFrame(value)));
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
        const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const chunks = edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
        expect(decodeAll(chunks)).toEqual(values.map((value) => JSON.stringify(value)));
      }),
      { seed: 7, numRuns: 100 },
    );
  });

  it('arrives whole byte by byte', () => {
    const bytes = Buffer.concat([encodeFrame({ a: 1 }), encodeFrame([])]);
    expect(decodeAll(Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(['{"a":1}', '[]']);
  });

  it('may be as large as the limit and no larger', () => {
    const largest = 'x'.repeat(MAX_HEAD_BYTES - 2);
    expect(decodeAll([encodeFrame(largest)])).toHaveLength(1);
    expect(() => encodeFrame(`${largest}y`)).toThrow(expect.objectContaining({ code: 'ipc_unsendable' }));
  });

  it.each([
    ['nested as deep as the other side reads', nested(MAX_JSON_DEPTH), true],
    ['nested deeper', nested(MAX_JSON_DEPTH + 1), false],
    ['with a key __proto__', JSON.parse('{"__proto__":1}'), false],
    ['with such a key behind another', JSON.parse('{"a":"{","__proto__":1}'), false],
    ['with a key that only ends in it', { '{"__proto__': 1, ',"__proto__': 2, '"__proto__': 3 }, true],
    ['with text that only mentions such a key', { text: '{"__proto__":1}' }, true],
  ])('%s: sendable = %s', (_name, value: unknown, sendable) => {
    if (sendable) expect(encodeFrame(value).length).toBeGreaterThan(4);
    else expect(() => encodeFrame(value)).toThrow(expect.objectContaining({ code: 'ipc_unsendable' }));
  });

  it.each([
    ['of 2 GiB', [0x7f, 0xff, 0xff, 0xff], 'frame too large'],
    ['with a tail that was not agreed on', [0x80, 0, 0, 2], 'a tail that was not agreed on'],
    ['one byte over the limit', [0, 0x80, 0, 1], 'frame too large'],
    ['of nothing', [0, 0, 0, 0], 'empty frame'],
  ])('announced %s is refused at its fourth byte', (_name, header, fault) => {
    expect(new FrameDecoder().push(Buffer.from(header), () => true)).toBe(fault);
  });

  it('announced as large takes no memory before it comes', () => {
    const header = Buffer.from([0, 0x80, 0, 0]);
    const before = process.memoryUsage().arrayBuffers;
    const decoders = Array.from({ length: 32 }, () => {
      const decoder = new FrameDecoder();
      decoder.push(Buffer.concat([header, Buffer.from('"')]), () => true);
      return decoder;
    });
    expect(decoders.every((decoder) => decoder.partial)).toBe(true);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
  });

  it('after a payload answered with false is not looked at', () => {
    const seen: string[] = [];
    const bytes = Buffer.concat([encodeFrame(1), encodeFrame(2)]);
    new FrameDecoder().push(bytes, (payload) => {
      seen.push(payload.toString());
      return false;
    });
    expect(seen).toEqual(['1']);
  });
});

/** What a receiver that accepts tails makes of these chunks: the messages, or the first thing wrong. */
function readTailed(chunks: readonly Buffer[]): unknown {
  const messages: unknown[] = [];
  const decoder = new FrameDecoder();
  decoder.acceptTails();
  for (const chunk of chunks) {
    const fault = decoder.push(chunk, (head, tail) => {
      const read = readMessage(head, tail);
      messages.push(read.ok ? read.value : read.reason);
      return true;
    });
    if (fault !== null) return fault;
  }
  return decoder.partial ? 'partial' : messages;
}

const TAIL = { tail: true } as const;
const long = 'x'.repeat(MIN_LIFTED_CHARACTERS);

describe('a frame with a tail', () => {
  it('is two lengths, the top bit of the first set, then head and text', () => {
    const head = Buffer.from(`{"message":{"a":null},"texts":[{"at":["a"],"bytes":${long.length}}]}`);
    expect(encodeFrame({ a: long }, TAIL)).toEqual(
      Buffer.concat([lengths(0x8000_0000 + head.length, long.length), head, Buffer.from(long)]),
    );
  });

  it('is for long texts only, and only where it was agreed on', () => {
    const short = { a: long.slice(1), b: [1, 'é'] };
    expect(encodeFrame(short, TAIL)).toEqual(encodeFrame(short));
    expect(encodeFrame({ a: long })).toEqual(Buffer.concat([lengths(long.length + 8), Buffer.from(`{"a":"${long}"}`)]));
  });

  it('arrives whole wherever it is cut, between plain ones', () => {
    const messages = [{ n: 1 }, { a: [long, { b: `ü${long}` }] }, { n: 2 }];
    const bytes = Buffer.concat(messages.map((message) => encodeFrame(message, TAIL)));
    for (let cut = 0; cut <= bytes.length; cut += cut < 200 || bytes.length - cut < 200 ? 1 : 97) {
      expect(readTailed([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(messages);
    }
    expect(readTailed(Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(messages);
  });

  it.each([
    ['no head', lengths(0x8000_0000, 9), 'empty frame'],
    ['a head over its limit', lengths(0x8000_0000 + MAX_HEAD_BYTES + 1, 9), 'frame too large'],
    ['no tail', lengths(0x8000_0002, 0), 'empty tail'],
    ['a tail over its limit', lengths(0x8000_0002, MAX_TAIL_BYTES + 1), 'tail too large'],
    ['a tail of 4 GiB', lengths(0x8000_0002, 0xffff_ffff), 'tail too large'],
    [
      'both within their limits, but not together',
      lengths(0x8000_0000 + MAX_HEAD_BYTES, MAX_FRAME_BYTES - MAX_HEAD_BYTES + 1),
      'frame too large',
    ],
  ])('announced with %s is refused before anything of it is read', (_name, header, fault) => {
    expect(readTailed([header])).toBe(fault);
    expect(readTailed(Array.from(header, (byte) => Buffer.from([byte])))).toBe(fault);
  });

  it('may be as large as the limits and no larger', () => {
    const full = 'x'.repeat(MAX_TAIL_BYTES);
    expect(readTailed([encodeFrame({ a: full }, TAIL)])).toEqual([{ a: full }]);
    const rest = ' '.repeat(MAX_FRAME_BYTES - MAX_TAIL_BYTES);
    expect(() => encodeFrame({ a: full, b: rest }, TAIL)).toThrow(expect.objectContaining({ code: 'ipc_unsendable' }));
  });

  it('takes no memory before it comes', () => {
    const before = process.memoryUsage().arrayBuffers;
    const decoders = Array.from({ length: 32 }, () => {
      const decoder = new FrameDecoder();
      decoder.acceptTails();
      decoder.push(Buffer.concat([lengths(0x8000_0000 + 1024, MAX_TAIL_BYTES), Buffer.from('{')]), () => true);
      return decoder;
    });
    expect(decoders.every((decoder) => decoder.partial)).toBe(true);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
  });

  it('cut short at any byte is incomplete, never another message', () => {
    const bytes = encodeFrame({ a: long, b: 1 }, TAIL);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: bytes.length - 1 }), (end) => {
        expect(readTailed([bytes.subarray(0, end)])).toBe('partial');
      }),
      { seed: 11, numRuns: 200 },
    );
  });

  it('with bits flipped is refused or read, and never throws', () => {
    const bytes = encodeFrame({ type: 'request', params: { content: long, more: [long] } }, TAIL);
    const headEnd = bytes.length - 2 * long.length;
    fc.assert(
      fc.property(fc.nat(headEnd - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const bent = Buffer.from(bytes);
        bent.writeUInt8(bent.readUInt8(at) ^ flip, at);
        expect(() => readTailed([bent])).not.toThrow();
      }),
      { seed: 13, numRuns: 500 },
    );
  });
});
