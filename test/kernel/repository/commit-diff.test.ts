import { expect, it } from 'vitest';
import type { ObjectId } from '../../../src/contracts/ids.ts';
import type { StoredObject } from '../../../src/contracts/ports/repository.ts';
import { commitDiff } from '../../../src/kernel/repository/commit-diff.ts';

const id = (digit: string) => digit.repeat(40) as ObjectId;
const [BEFORE, AFTER, BLOB] = [id('1'), id('2'), id('a')];
const EMPTY: StoredObject = { type: 'tree', content: Buffer.alloc(0) };
const TEXT: StoredObject = { type: 'blob', content: Buffer.from('new\n') };

/** A tree with one entry, whose object is `BLOB`. */
function tree(entry: string): StoredObject {
  return { type: 'tree', content: Buffer.concat([Buffer.from(`${entry}\0`, 'latin1'), Buffer.from(BLOB, 'hex')]) };
}

function diffOf(after: StoredObject, blob: StoredObject | null = TEXT) {
  const objects: Record<string, StoredObject | null> = { [BEFORE]: EMPTY, [AFTER]: after, [BLOB]: blob };
  return commitDiff({ readObject: (wanted) => Promise.resolve(objects[wanted] ?? null) }, BEFORE, AFTER);
}

it('is the text of a change, with the state of each file', async () => {
  expect(await diffOf(tree('100755 run'))).toMatchObject({
    kind: 'ok',
    diff: expect.stringContaining('+new') as string,
    changes: [{ path: 'run', before: { kind: 'absent' }, after: { kind: 'file', size: 4, executable: true } }],
  });
});

it.each<[string, StoredObject, StoredObject, string]>([
  ['what is no tree', TEXT, TEXT, `object ${AFTER} is not a tree`],
  ['a path that is not UTF-8', tree('100644 \xff'), TEXT, 'a path is not UTF-8: "\ufffd"'],
  ['a submodule', tree('160000 sub'), TEXT, 'sub is a submodule, or of a kind that git does not know'],
  ['a file whose object is a tree', tree('100644 a'), EMPTY, `object ${BLOB} is not a blob`],
  ['a link whose object is a tree', tree('120000 a'), EMPTY, `object ${BLOB} is not a blob`],
])('refuses %s', async (_what, after, blob, reason) => {
  expect(await diffOf(after, blob)).toEqual({ kind: 'refused', reason });
});

it('fails where the content of a file is missing', async () => {
  await expect(diffOf(tree('100644 a'), null)).rejects.toMatchObject({ code: 'repository_unreadable' });
});
