import { describe, expect, it } from 'vitest';
import { parseByteSize } from '../../../src/lib/text/byte-size.ts';
import { cutText } from '../../../src/lib/text/cut-text.ts';
import { firstInvalidUtf8 } from '../../../src/lib/text/decode-utf8.ts';
import { parseDuration } from '../../../src/lib/text/duration.ts';
import { todoProgress } from '../../../src/lib/text/todo-words.ts';

describe('a size', () => {
  it.each<readonly [string | number, number]>([
    ['512MiB', 512 * 1024 * 1024],
    ['100KB', 100_000],
    ['12', 12],
    [12, 12],
  ])('%j is %i bytes', (text, bytes) => {
    expect(parseByteSize(text)).toEqual({ kind: 'ok', bytes });
  });

  it.each(['', '1.5MiB', '-1', '1mb', '1 MiB', 'MiB', '1toString'])('is not %j', (text) => {
    const problem = `"${text}" is not a whole number with KiB, MiB, GiB, KB, MB, GB or no unit`;
    expect(parseByteSize(text)).toEqual({ kind: 'invalid', problem });
  });

  it('is not more than a number can say', () => {
    expect(parseByteSize('9999999999999999GiB')).toMatchObject({ problem: '"9999999999999999GiB" is too large' });
  });
});

describe('a duration', () => {
  it.each([
    ['250ms', 250],
    ['30s', 30_000],
    ['10m', 600_000],
    ['1h', 3_600_000],
  ])('%s is %i ms', (text, ms) => {
    expect(parseDuration(text)).toEqual({ kind: 'ok', ms });
  });

  it.each(['', '10', '1.5h', '-1s', '1 s', '1H', 's'])('is not %j', (text) => {
    const problem = `"${text}" is not a whole number with ms, s, m or h`;
    expect(parseDuration(text)).toEqual({ kind: 'invalid', problem });
  });
});

describe('a text that is too long', () => {
  const text = Array.from({ length: 100 }, (_, index) => `line ${String(index).padStart(2, '0')}\n`).join('');

  it.each([
    ['head', /^line 00[^]*left out …$/],
    ['ends', /^line 00[^]*left out …\nline \d\d\n[^]*line 99\n$/],
    ['tail', /^line 00[^]*left out …\nline \d\d\n[^]*line 99\n$/],
  ] as const)('keeps its %s', (kind, expected) => {
    const cut = cutText(text, kind, 200);
    expect(cut.text).toMatch(expected);
    expect(cut.omitted).toBeGreaterThan(500);
  });

  it.each([
    ['one line', 'a'.repeat(1_000), 'b'.repeat(1_000)],
    ['a far line end', `a\n${'a'.repeat(998)}`, `${'b'.repeat(998)}\nb`],
  ])('is cut inside a line where it has only %s', (_what, head, tail) => {
    const { text: cut, from, omitted } = cutText(`${head}${tail}`, 'ends', 200);
    expect([from, omitted]).toEqual([120, 1_800]);
    expect(cut.startsWith(head.slice(0, 120)) && cut.endsWith(tail.slice(-80))).toBe(true);
  });

  it('says how to get the rest', () => {
    expect(cutText(text, 'head', 200, (from) => ` from ${from}`).text).toMatch(/characters left out from 199 …$/);
  });

  it('is not cut where it fits', () => {
    expect(cutText('short', 'ends', 5)).toEqual({ text: 'short', from: 5, omitted: 0 });
  });
});

it.each<readonly [string, Parameters<typeof todoProgress>[0], string | null]>([
  ['no step', [], null],
  ['a step that is done', [{ state: 'done', text: 'a' }], '1/1 done'],
  [
    'a step that is being done',
    [
      { state: 'open', text: 'a' },
      { state: 'doing', text: 'b' },
    ],
    '0/2 b',
  ],
  [
    'a step to come',
    [
      { state: 'done', text: 'a' },
      { state: 'open', text: 'b' },
    ],
    '1/2 b',
  ],
])('the progress of a list with %s', (_what, items, words) => {
  expect(todoProgress(items)).toBe(words);
});

it.each<readonly [string, Buffer, ReturnType<typeof firstInvalidUtf8>]>([
  ['text', Buffer.from('ab'), null],
  ['a replacement character of its own', Buffer.from('a\ufffdb'), null],
  ['a byte that is none', Buffer.from([0x61, 0x0a, 0xff]), { offset: 2, line: 2, column: 1 }],
  [
    'a byte that is none behind a replacement character',
    Buffer.concat([Buffer.from('\ufffd'), Buffer.from([0xff])]),
    { offset: 3, line: 1, column: 2 },
  ],
])('where %s stops being UTF-8', (_what, bytes, expected) => {
  expect(firstInvalidUtf8(bytes)).toEqual(expected);
});
