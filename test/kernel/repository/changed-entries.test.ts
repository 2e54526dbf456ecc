import { expect, it } from 'vitest';
import type { ObjectId } from '../../../src/contracts/ids.ts';
import type { StoredObject } from '../../../src/contracts/ports/repository.ts';
import { changedEntries } from '../../../src/kernel/repository/changed-entries.ts';

const id = (digit: string) => digit.repeat(40) as ObjectId;
const [BEFORE, AFTER] = [id('1'), id('2')];

/** The bytes of a tree, in the order given, which git would not write. */
const tree = (...entries: readonly [name: string, digit: string][]): StoredObject => ({
  type: 'tree',
  content: Buffer.concat(
    entries.map(([name, digit]) => Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(id(digit), 'hex')])),
  ),
});

const compare = (after: StoredObject) =>
  changedEntries(
    { readObject: (wanted) => Promise.resolve(wanted === BEFORE ? tree(['a', 'a']) : after) },
    BEFORE,
    AFTER,
  );

it('is each path at which two trees differ', async () => {
  expect(await compare(tree(['a', 'b'], ['c', 'c']))).toEqual({
    kind: 'ok',
    changes: [
      { path: 'a', before: { mode: 0o100644, id: id('a') }, after: { mode: 0o100644, id: id('b') } },
      { path: 'c', before: null, after: { mode: 0o100644, id: id('c') } },
    ],
  });
});

it.each<[string, StoredObject, string]>([
  [
    'a tree with a name twice, of which tools see one or the other',
    tree(['a', 'b'], ['a', 'c']),
    'contains a name twice',
  ],
  ['what is no tree', { type: 'blob', content: Buffer.from('x') }, 'is not a tree'],
  ['a tree that is cut off', { type: 'tree', content: Buffer.from('100644 a\0x') }, 'is not a tree'],
])('refuses %s', async (_name, after, reason) => {
  expect(await compare(after)).toEqual({ kind: 'refused', reason: expect.stringContaining(reason) as unknown });
});

const DIRECTORY = (...entries: readonly [name: string, id: ObjectId][]): StoredObject => ({
  type: 'tree',
  content: Buffer.concat(
    entries.map(([name, of]) => Buffer.concat([Buffer.from(`40000 ${name}\0`), Buffer.from(of, 'hex')])),
  ),
});
const numbered = (number: number) => number.toString(16).padStart(40, '0') as ObjectId;

it.each<[string, (wanted: ObjectId) => StoredObject, string]>([
  [
    'trees that are nested without an end',
    (wanted) => DIRECTORY(['d', numbered(Number(`0x${wanted}`) + 1)]),
    'the trees are nested too deeply',
  ],
  [
    'one tree that is repeated at very many paths',
    (wanted) => {
      const next = numbered(Math.min(Number(`0x${wanted}`) + 1, 20));
      return next === wanted ? { type: 'tree', content: Buffer.alloc(0) } : DIRECTORY(['a', next], ['b', next]);
    },
    'the trees have too many directories',
  ],
  [
    'more files than a person can look at',
    () => tree(...Array.from({ length: 50_001 }, (_, n): [string, string] => [`f${n}`, 'a'])),
    'too many files change',
  ],
])('refuses %s', async (_name, read, reason) => {
  const empty: StoredObject = { type: 'tree', content: Buffer.alloc(0) };
  const readObject = (wanted: ObjectId) => Promise.resolve(wanted === BEFORE ? empty : read(wanted));
  expect(await changedEntries({ readObject }, BEFORE, numbered(1))).toEqual({ kind: 'refused', reason });
});

it('fails where a tree is missing', async () => {
  const objects = { readObject: () => Promise.resolve(null) };
  await expect(changedEntries(objects, BEFORE, AFTER)).rejects.toMatchObject({ code: 'repository_unreadable' });
});
