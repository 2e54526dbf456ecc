import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ObjectId } from '../../../src/contracts/ids.ts';
import { applyDelta, deltaResultSize } from '../../../src/platform/git/delta.ts';
import { openPackFile } from '../../../src/platform/git/pack-file.ts';
import { openPackIndex } from '../../../src/platform/git/pack-index.ts';
import { readPackedObject } from '../../../src/platform/git/packed-object.ts';
import type { Pack } from '../../../src/platform/git/packs.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'fluffy-packs-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const BASE = Buffer.from('abcdefgh');
/** Sizes of base and result, then instructions. */
const delta = (baseSize: number, size: number, ...rest: number[]): Buffer => Buffer.from([baseSize, size, ...rest]);
const copy = (offset: number, length: number): number[] => [0x91, offset, length];
const text = (value: string): number[] => [value.length, ...Buffer.from(value)];

describe('a delta', () => {
  test('copies from its base and adds of its own', () => {
    const bytes = delta(8, 7, ...copy(2, 3), ...text('WXYZ'));
    expect(applyDelta(BASE, bytes)?.toString()).toBe('cdeWXYZ');
    expect(deltaResultSize(bytes)).toBe(7);
  });

  test('copies 64 KiB where it says no length', () => {
    const base = Buffer.alloc(0x10000, 'x');
    expect(applyDelta(base, Buffer.from([0x80, 0x80, 4, 0x80, 0x80, 4, 0x80]))).toEqual(base);
  });

  test.each([
    ['is empty', Buffer.alloc(0)],
    ['has a base size alone', Buffer.from([8])],
    ['is for another base', delta(9, 3, ...copy(0, 3))],
    ['has the reserved instruction', delta(8, 0, 0)],
    ['ends within its own text', delta(8, 4, 4, 1, 2)],
    ['adds more than it says', delta(8, 1, ...text('ab'))],
    ['ends within an instruction', delta(8, 3, 0x91, 0)],
    ['copies from behind its base', delta(8, 4, ...copy(6, 4))],
    ['copies more than it says', delta(8, 1, ...copy(0, 2))],
    ['makes less than it says', delta(8, 4, ...copy(0, 3))],
  ])('that %s is malformed', (_what, bytes) => {
    expect(applyDelta(BASE, bytes)).toBeNull();
  });
});

const HEADER = Buffer.concat([Buffer.from('PACK'), Buffer.from([0, 0, 0, 2, 0, 0, 0, 1])]);
const TRAILER = Buffer.alloc(20);
const TYPE = { commit: 1, blob: 3, unknown: 5, offset: 6, id: 7 };
/** An entry of fewer than 16 bytes, after what says its base. */
const entry = (type: number, content: Buffer, base: Buffer = Buffer.alloc(0)): Buffer =>
  Buffer.concat([Buffer.from([(type << 4) | content.length]), base, deflateSync(content)]);

async function packOf(...entries: Buffer[]) {
  const path = join(directory, 'x.pack');
  writeFileSync(path, Buffer.concat([HEADER, ...entries, TRAILER]));
  const pack = await openPackFile(path);
  if (pack === null) throw new Error('no pack');
  return pack;
}

describe('an entry of a pack', () => {
  test('is read where it begins', async () => {
    const pack = await packOf(entry(TYPE.blob, BASE));
    expect(await pack.entryAt(12, 100)).toEqual({ kind: 'whole', type: 'blob', bytes: BASE });
    expect(await pack.entryAt(12, 7)).toEqual({ kind: 'too-large', size: 8 });
    await pack.close();
  });

  test.each<readonly [string, number, Buffer, string]>([
    ['before the entries', 4, entry(TYPE.blob, BASE), 'offset 4 is outside the pack'],
    ['behind the entries', 9_000, entry(TYPE.blob, BASE), 'offset 9000 is outside the pack'],
    ['with a size that does not end', 12, Buffer.alloc(10, 0xff), 'the entry at 12 has a malformed size'],
    ['with a size beyond all numbers', 12, Buffer.alloc(64, 0xff), 'the entry at 12 has a malformed size'],
    [
      'whose base is itself',
      12,
      entry(TYPE.offset, BASE, Buffer.from([0])),
      'the entry at 12 has a malformed base offset',
    ],
    [
      'whose base is before the entries',
      12,
      entry(TYPE.offset, BASE, Buffer.from([5])),
      'the entry at 12 has a malformed base offset',
    ],
    [
      'that ends within the id of its base',
      12,
      Buffer.from([(TYPE.id << 4) | 8, 1, 2]),
      'the entry at 12 is cut short',
    ],
    [
      'of another size',
      12,
      Buffer.concat([Buffer.from([(TYPE.blob << 4) | 5]), deflateSync(BASE)]),
      'the entry at 12 does not inflate to its size',
    ],
    [
      'that is not compressed',
      12,
      Buffer.concat([Buffer.from([(TYPE.blob << 4) | 8]), BASE]),
      'the entry at 12 does not inflate to its size',
    ],
    ['of an unknown type', 12, entry(TYPE.unknown, BASE), 'the entry at 12 has the unknown type 5'],
  ])('%s is refused', async (_what, offset, bytes, why) => {
    const pack = await packOf(bytes);
    await expect(pack.entryAt(offset, 1e9)).rejects.toMatchObject({ code: 'repository_unreadable', why });
    await pack.close();
  });
});

test.each([
  ['of another version', Buffer.concat([Buffer.from('PACK'), Buffer.from([0, 0, 0, 3, 0, 0, 0, 0])])],
  ['of another kind', Buffer.alloc(40)],
  ['that is cut off', Buffer.from('PACK')],
])('a pack %s is refused', async (_what, bytes) => {
  writeFileSync(join(directory, 'x.pack'), bytes);
  await expect(openPackFile(join(directory, 'x.pack'))).rejects.toMatchObject({ why: 'it is not a pack of version 2' });
});

test('a pack that is gone is none', async () => {
  expect(await openPackFile(join(directory, 'none.pack'))).toBeNull();
  expect(await openPackIndex(join(directory, 'none.idx'))).toBeNull();
});

describe('an object of a pack', () => {
  const ID = 'a'.repeat(40) as ObjectId;
  /** The object at the last of these entries; `found` is where the index has every base by id. */
  async function read(entries: readonly Buffer[], { found = 12 as number | null, maxBytes = 100 } = {}) {
    const file = await packOf(...entries);
    const offset = 12 + entries.slice(0, -1).reduce((sum, { length }) => sum + length, 0);
    const pack = { file, index: { find: () => Promise.resolve(found) } } as unknown as Pack;
    return readPackedObject({ pack, offset, id: ID, maxBytes }).finally(() => file.close());
  }
  const whole = entry(TYPE.blob, BASE);
  const base = Buffer.alloc(20, 1);

  test('is made of its base and a delta', async () => {
    const object = await read([whole, entry(TYPE.offset, delta(8, 3, ...copy(2, 3)), Buffer.from([whole.length]))]);
    expect(object).toEqual({ type: 'blob', content: Buffer.from('cde') });
    expect(await read([whole, entry(TYPE.id, delta(8, 3, ...copy(2, 3)), base)])).toEqual(object);
  });

  test.each<readonly [string, Parameters<typeof read>, object]>([
    [
      'whose base is missing',
      [[whole, entry(TYPE.id, delta(8, 3, ...copy(2, 3)), base)], { found: null }],
      { why: `the base ${base.toString('hex')} is missing` },
    ],
    [
      'whose delta is malformed',
      [[whole, entry(TYPE.id, delta(9, 3), base)]],
      { why: `a delta of object ${ID} is malformed` },
    ],
    ['whose base is itself', [[entry(TYPE.id, delta(8, 3), base)]], { why: 'a delta chain is too long' }],
    ['that is larger than wanted', [[whole], { maxBytes: 7 }], { code: 'object_too_large' }],
    [
      'whose delta makes too much',
      [[whole, entry(TYPE.id, Buffer.from([8, 0xff, 0xff, 0xff, 0xff, 0x0f]), base)]],
      { code: 'object_too_large' },
    ],
  ])('%s is refused', async (_what, given, error) => {
    await expect(read(...given)).rejects.toMatchObject(error);
  });
});

describe('an index of a pack', () => {
  /** An index of one object, whose id begins with 00, at this offset. */
  function index(change: (bytes: Buffer) => Buffer = (bytes) => bytes, offset = 12): string {
    const fanout = Buffer.concat(Array.from({ length: 256 }, () => Buffer.from([0, 0, 0, 1])));
    const place = Buffer.alloc(4);
    place.writeUInt32BE(offset);
    const magic = Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]);
    const path = join(directory, 'x.idx');
    writeFileSync(
      path,
      change(Buffer.concat([magic, fanout, Buffer.alloc(20), Buffer.alloc(4), place, Buffer.alloc(40)])),
    );
    return path;
  }

  test('says where an object is', async () => {
    const opened = await openPackIndex(index());
    expect(await opened?.find('0'.repeat(40) as ObjectId)).toBe(12);
    expect(await opened?.find('1'.repeat(40) as ObjectId)).toBeNull();
    expect(await opened?.startingWith('0000')).toEqual(['0'.repeat(40)]);
    expect(await opened?.startingWith('0001')).toEqual([]);
    await opened?.close();
  });

  test.each<readonly [string, (bytes: Buffer) => Buffer, string]>([
    ['that is cut off', (bytes) => bytes.subarray(0, 100), 'it is not a pack index of version 2'],
    ['of another version', (bytes) => bytes.fill(1, 7, 8), 'it is not a pack index of version 2'],
    ['whose counts fall', (bytes) => bytes.fill(0, 8 + 4 * 7, 8 + 4 * 8), 'its fan-out table is malformed'],
    ['that is shorter than its counts', (bytes) => bytes.subarray(0, -30), 'its fan-out table is malformed'],
  ])('%s is refused', async (_what, change, why) => {
    await expect(openPackIndex(index(change))).rejects.toMatchObject({ code: 'repository_unreadable', why });
  });

  test('with an offset outside of its table is refused', async () => {
    const opened = await openPackIndex(index(undefined, 0x80000009));
    await expect(opened?.find('0'.repeat(40) as ObjectId)).rejects.toMatchObject({
      why: 'an offset is outside its table',
    });
    await opened?.close();
  });
});
