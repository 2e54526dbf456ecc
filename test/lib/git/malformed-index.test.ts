import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { encodeIndex, indexDamage, parseIndex } from '../../../src/lib/git/git-index.ts';

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const sealed = (body: Buffer): Buffer => Buffer.concat([body, createHash('sha1').update(body).digest()]);
/** An index with these entries and what follows them. */
const indexOf = (version: number, entries: readonly Buffer[], ...rest: Buffer[]): Buffer =>
  sealed(Buffer.concat([Buffer.from('DIRC'), uint32(version), uint32(entries.length), ...entries, ...rest]));

interface Written {
  readonly flags?: number;
  readonly between?: Buffer;
  readonly padding?: number;
}

/** An entry as versions 2 and 3 have it. */
function entry(path: string, { flags = path.length, between = Buffer.alloc(0), padding }: Written = {}): Buffer {
  const flagBytes = Buffer.alloc(2);
  flagBytes.writeUInt16BE(flags);
  const bytes = Buffer.concat([Buffer.alloc(40), Buffer.alloc(20, 7), flagBytes, between, Buffer.from(path)]);
  return Buffer.concat([bytes, Buffer.alloc(padding ?? 8 - (bytes.length % 8))]);
}
const extension = (name: string, data: Buffer, length = data.length): Buffer =>
  Buffer.concat([Buffer.from(name), uint32(length), data]);
const EXTENDED = 0x4000;

it('an index that is whole is read, and written back as it was', () => {
  const bytes = indexOf(2, [entry('a'), entry('b')], extension('TREE', Buffer.from('x')));
  const read = parseIndex(bytes);
  if (read.kind !== 'ok') throw new Error(read.kind);
  expect(read.index.entries.map(({ path }) => path)).toEqual(['a', 'b']);
  expect(encodeIndex(read.index)).toEqual(bytes);
});

describe('an index is damaged', () => {
  it.each<readonly [string, Buffer, string]>([
    ['that is cut off', indexOf(2, []).subarray(0, 20), 'not an index'],
    ['of another kind', sealed(Buffer.concat([Buffer.from('XXXX'), uint32(2), uint32(0)])), 'not an index'],
    ['with another checksum', Buffer.concat([indexOf(2, []).subarray(0, -1), Buffer.from([1])]), 'wrong checksum'],
    [
      'with fewer entries than it says',
      sealed(Buffer.concat([Buffer.from('DIRC'), uint32(2), uint32(1)])),
      'entry 0 is malformed',
    ],
    [
      'with extended flags that its version does not have',
      indexOf(2, [entry('a', { flags: EXTENDED | 1, between: Buffer.alloc(2) })]),
      'entry 0 is malformed',
    ],
    [
      'that ends within extended flags',
      indexOf(3, [entry('', { flags: EXTENDED, padding: 0 })]),
      'entry 0 is malformed',
    ],
    ['with a name of another length', indexOf(2, [entry('a', { flags: 2 })]), 'entry 0 is malformed'],
    ['with a name that does not end', indexOf(2, [entry('a', { padding: 0 })]), 'entry 0 is malformed'],
    ['that ends within the padding of a name', indexOf(2, [entry('ab', { padding: 1 })]), 'entry 0 is malformed'],
    [
      'that takes more of the name before than there is',
      indexOf(4, [entry('a', { between: Buffer.from([3]) })]),
      'entry 0 is malformed',
    ],
    ['whose entries are not in order', indexOf(2, [entry('b'), entry('a')]), 'entries out of order'],
    ['with an entry twice', indexOf(2, [entry('a'), entry('a')]), 'entries out of order'],
    ['that ends within the head of an extension', indexOf(2, [], Buffer.from('TREE')), 'cut short in an extension'],
    [
      'that ends within an extension',
      indexOf(2, [], extension('TREE', Buffer.from('x'), 9)),
      'extension TREE is cut short',
    ],
  ])('%s', (_what, bytes, reason) => {
    expect(parseIndex(bytes)).toMatchObject({ kind: 'corrupt', reason });
  });
});

it.each<readonly [string, Buffer, string]>([
  ['of an unknown version', indexOf(5, []), 'index version 5'],
  ['that is split', indexOf(2, [], extension('link', Buffer.alloc(0))), 'split index'],
  ['that leaves directories out', indexOf(2, [], extension('sdir', Buffer.alloc(0))), 'sparse index'],
  [
    'with an extension that has to be understood',
    indexOf(2, [], extension('newx', Buffer.alloc(0))),
    'index extension "newx"',
  ],
])('an index %s is not supported', (_what, bytes, what) => {
  expect(parseIndex(bytes)).toEqual({ kind: 'unsupported', what });
});

it('an index without a checksum, as git may write it, is whole', () => {
  expect(indexDamage(Buffer.concat([indexOf(2, []).subarray(0, -20), Buffer.alloc(20)]))).toBeNull();
});
