import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { ObjectId } from '../../../src/contracts/ids.ts';
import { formatDate, parseCommitLinks } from '../../../src/lib/git/commit.ts';
import { decodeLooseObject, encodeLooseObject } from '../../../src/lib/git/loose-object.ts';
import { canonicalMode, encodeTree, parseTree } from '../../../src/lib/git/tree.ts';
import { readOffsetVarint, readSizeVarint, writeOffsetVarint } from '../../../src/lib/git/varint.ts';

const id = (digit: string) => digit.repeat(40) as ObjectId;
const bytes = (...values: number[]): Buffer => Buffer.from(values);

describe('a loose object', () => {
  const content = Buffer.from('hello\n');
  const file = encodeLooseObject({ type: 'blob', content });

  test('is read as it was written', () => {
    expect(decodeLooseObject(file, 100)).toEqual({ kind: 'ok', object: { type: 'blob', content } });
  });

  const packed = (text: string): Buffer => deflateSync(Buffer.from(text, 'latin1'));
  test.each<readonly [string, Buffer, string, boolean]>([
    ['with bytes after its end', Buffer.concat([file, bytes(0)]), 'bytes after the compressed object', false],
    ['that is no zlib stream', Buffer.from('hello'), 'not a zlib stream', false],
    ['cut short', file.subarray(0, -2), 'not a zlib stream', false],
    ['larger than the limit', packed(`blob 200\0${'x'.repeat(200)}`), 'larger than 100 bytes', true],
    ['without a header', packed('hello'), 'malformed header', false],
    ['of an unknown type', packed('note 1\0x'), 'malformed header', false],
    ['with a size that is no decimal number', packed('blob 01\0x'), 'malformed header', false],
    ['longer than it says', packed('blob 1\0xy'), 'size differs from its header', false],
    ['shorter than it says', packed('blob 3\0xy'), 'size differs from its header', false],
  ])('%s is invalid', (_what, from, reason, tooLarge) => {
    expect(decodeLooseObject(from, 100)).toEqual({ kind: 'invalid', reason, tooLarge });
  });
});

describe('the links of a commit', () => {
  test.each<readonly [string, string, ReturnType<typeof parseCommitLinks>]>([
    ['a first commit', `tree ${id('a')}\nauthor A\n\nm`, { tree: id('a'), parents: [] }],
    [
      'a merge',
      `tree ${id('a')}\nparent ${id('b')}\nparent ${id('c')}\nauthor A\n\nm`,
      { tree: id('a'), parents: [id('b'), id('c')] },
    ],
    ['a parent in the message', `tree ${id('a')}\nauthor A\n\nparent ${id('b')}\n`, { tree: id('a'), parents: [] }],
    ['a parent after the author', `tree ${id('a')}\nauthor A\nparent ${id('b')}\n\nm`, { tree: id('a'), parents: [] }],
    ['no message at all', `tree ${id('a')}\nparent ${id('b')}`, { tree: id('a'), parents: [id('b')] }],
    ['no tree', `parent ${id('b')}\n\nm`, null],
    ['a tree that is no id', 'tree abc\n\nm', null],
    ['a parent that is no id', `tree ${id('a')}\nparent abc\n\nm`, null],
  ])('of %s', (_what, text, links) => {
    expect(parseCommitLinks(Buffer.from(text))).toEqual(links);
  });

  test.each([
    [0, '7 +0000'],
    [90, '7 +0130'],
    [-330, '7 -0530'],
  ])('an offset of %i minutes is written as %s', (offsetMinutes, text) => {
    expect(formatDate({ seconds: 7, offsetMinutes })).toBe(text);
  });
});

describe('a tree', () => {
  const entry = (mode: string, name: string): Buffer =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.alloc(20, 1)]);

  test('is read, and written in the order of git: a directory as if its name ended in a slash', () => {
    const read = parseTree(Buffer.concat([entry('40000', 'a'), entry('100644', 'a.c'), entry('100755', 'b')])) ?? [];
    expect(read.map(({ mode, name }) => [mode.toString(8), name])).toEqual([
      ['40000', 'a'],
      ['100644', 'a.c'],
      ['100755', 'b'],
    ]);
    expect(encodeTree(read)).toEqual(
      Buffer.concat([entry('100644', 'a.c'), entry('40000', 'a'), entry('100755', 'b')]),
    );
  });

  test.each([
    ['cut short', entry('100644', 'a').subarray(0, -1)],
    ['without a blank', Buffer.from('100644')],
    ['with a NUL before the blank', Buffer.from('1006\x0044 a\0aaaaaaaaaaaaaaaaaaaaaaaa')],
    ['with a mode that is not octal', entry('100848', 'a')],
    ['with an empty mode', entry('', 'a')],
    ['with an empty name', entry('100644', '')],
    ['with a name that is a path', entry('100644', 'a/b')],
  ])('%s is malformed', (_what, content) => {
    expect(parseTree(content)).toBeNull();
  });

  test.each([
    [0o100664, 0o100644],
    [0o100775, 0o100755],
    [0o120000, 0o120000],
    [0o40000, 0o40000],
  ])('the mode %i is kept in the index as %i', (mode, kept) => {
    expect(canonicalMode(mode)).toBe(kept);
  });
});

describe('numbers of git', () => {
  test.each([0, 1, 127, 128, 16_511, 16_512, 2 ** 40])('an offset of %i is read as it was written', (value) => {
    const written = writeOffsetVarint(value);
    expect(readOffsetVarint(written, 0)).toEqual({ value, next: written.length });
  });

  const ENDLESS = Buffer.alloc(12, 0xff);
  test.each<readonly [string, Buffer, ReturnType<typeof readSizeVarint>, ReturnType<typeof readSizeVarint>]>([
    ['of two bytes', bytes(0x81, 0x02), { value: 257, next: 2 }, { value: 258, next: 2 }],
    ['that is not there', bytes(), null, null],
    ['that is cut short', bytes(0x81), null, null],
    ['that is too large to count', Buffer.concat([ENDLESS, bytes(1)]), null, null],
  ])('a number %s', (_what, from, size, offset) => {
    expect([readSizeVarint(from, 0), readOffsetVarint(from, 0)]).toEqual([size, offset]);
  });
});
