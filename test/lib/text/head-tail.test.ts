import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HeadTail } from '../../../src/lib/text/head-tail.ts';

describe('the first and the last bytes of a stream', () => {
  test('everything, when it fits', () => {
    const kept = new HeadTail(4, 4);
    kept.push(Buffer.from('abcd'));
    kept.push(Buffer.from('efgh'));
    expect(kept.text()).toBe('abcdefgh');
    expect(kept.omitted).toBe(0);
  });

  test('head, tail and how much is between them', () => {
    const kept = new HeadTail(3, 2);
    kept.push(Buffer.from('0123456789'));
    expect(kept.text()).toBe('012\n… 5 bytes left out …\n89');
  });

  test('does not depend on how the stream was cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 40 }),
        fc.nat(12),
        fc.nat(12),
        (chunks, head, tail) => {
          const kept = new HeadTail(head, tail);
          for (const chunk of chunks) kept.push(Buffer.from(chunk));
          const all = Buffer.concat(chunks);
          const expected =
            all.length <= head + tail ? all : Buffer.concat([all.subarray(0, head), all.subarray(all.length - tail)]);
          expect(kept.bytes()).toEqual(expected);
          expect(kept.total).toBe(all.length);
          expect(kept.omitted).toBe(all.length - expected.length);
        },
      ),
    );
  });

  test('characters cut by the gap are dropped, not garbled', () => {
    const kept = new HeadTail(5, 5);
    kept.push(Buffer.from('aé€𝒳bbbbbbb𝒳€é'));
    expect(kept.text()).not.toContain('\ufffd');
    expect(kept.text()).toMatch(/^aé\n… \d+ bytes left out …\n€é$/);
  });

  test('a stream of single bytes is held in bounded memory', () => {
    const kept = new HeadTail(10, 10);
    for (let i = 0; i < 100_000; i += 1) kept.push(Buffer.from([48 + (i % 10)]));
    expect(kept.bytes().toString()).toBe('01234567890123456789');
  });
});
