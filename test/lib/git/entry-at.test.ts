import { expect, test } from 'vitest';
import type { ObjectId } from '../../../src/contracts/ids.ts';
import { toByteString } from '../../../src/lib/git/byte-string.ts';
import { MODE, entryAt } from '../../../src/lib/git/tree.ts';

const id = (digit: string) => digit.repeat(40) as ObjectId;
const entry = (mode: number, name: string, digit: string) => ({ mode, name: toByteString(name), id: id(digit) });

const TREES = new Map([
  [id('0'), [entry(MODE.directory, 'src', '1'), entry(MODE.symlink, 'link', '2'), entry(MODE.gitlink, 'vendor', '1')]],
  [id('1'), [entry(MODE.file, 'é.ts', '3'), entry(MODE.executable, 'é.ts', '4'), entry(MODE.directory, 'deep', '5')]],
]);
const readTree = (tree: ObjectId) => {
  const entries = TREES.get(tree);
  return entries === undefined ? Promise.reject(new Error('missing')) : Promise.resolve(entries);
};

test.each([
  ['a file', 'src/é.ts', { mode: MODE.file, id: id('3') }],
  ['a directory', 'src', { mode: MODE.directory, id: id('1') }],
  ['nothing', 'src/a.ts', null],
  ['a path through a link', 'link/é.ts', null],
  ['a path through a submodule', 'vendor/é.ts', null],
  ['the empty path', '', null],
])('%s', async (_what, path, found) => {
  const entryFound = await entryAt(readTree, id('0'), path);
  expect(entryFound === null ? null : { mode: entryFound.mode, id: entryFound.id }).toEqual(found);
});

test('what a missing tree means is for the caller to say', async () => {
  await expect(entryAt(readTree, id('0'), 'src/deep/a')).rejects.toThrow('missing');
});
