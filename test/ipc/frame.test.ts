import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_FRAME_BYTES } from '../../src/contracts/ipc-message.ts';
import { FrameDecoder, encodeFrame } from '../../src/ipc/frame.ts';
import { MAX_JSON_DEPTH } from '../../src/lib/strict-json.ts';

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
    const bytes = Buffer.concat(values.map(encodeFrame));
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
    const largest = 'x'.repeat(MAX_FRAME_BYTES - 2);
    expect(decodeAll([encodeFrame(largest)])).toHaveLength(1);
    expect(() => encodeFrame(`${largest}y`)).toThrow(expect.objectContaining({ code: 'ipc_unsendable' }));
  });

  it.each([
    ['nested as deep as the other side reads', nested(MAX_JSON_DEPTH), true],
    ['nested deeper', nested(MAX_JSON_DEPTH + 1), false],
    ['with a key __proto__', JSON.parse('{"__proto__":1}'), false],
    ['with text that only mentions such a key', { text: '{"__proto__":1}' }, true],
  ])('%s: sendable = %s', (_name, value: unknown, sendable) => {
    if (sendable) expect(encodeFrame(value).length).toBeGreaterThan(4);
    else expect(() => encodeFrame(value)).toThrow(expect.objectContaining({ code: 'ipc_unsendable' }));
  });

  it.each([
    ['of 4 GiB', [0xff, 0xff, 0xff, 0xff], 'frame too large'],
    ['with the reserved top bit', [0x80, 0, 0, 2], 'frame too large'],
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
