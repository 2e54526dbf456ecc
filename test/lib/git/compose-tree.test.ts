import { afterAll, describe, expect, test } from 'vitest';
import type { ObjectId } from '../../../src/contracts/ids.ts';
import { composeTree } from '../../../src/lib/git/compose-tree.ts';
import type { TreeEdit } from '../../../src/lib/git/compose-tree.ts';
import { parseTree } from '../../../src/lib/git/tree.ts';
import type { TreeEntry } from '../../../src/lib/git/tree.ts';
import { makeRepository } from '../../support/real-git.ts';

const made = makeRepository();
afterAll(() => made.remove());
for (const path of ['a', 'a.b', 'a-b/x', 'dir/one', 'dir/two', 'dir/deep/er/leaf', 'ünïcode/x', 'z'])
  made.write(path, path);
made.commit('first');
const base = made.git('rev-parse', 'HEAD^{tree}').trim() as ObjectId;
const blob = made.gitBytes(['hash-object', '-w', '--stdin'], 'new').toString().trim() as ObjectId;
const commit = made.git('rev-parse', 'HEAD').trim() as ObjectId;
const file = { mode: 0o100644, id: blob };

const reads: string[] = [];
function readTree(id: ObjectId): Promise<TreeEntry[]> {
  reads.push(id);
  const entries = parseTree(made.gitBytes(['cat-file', 'tree', id]));
  if (entries === null) throw new Error('malformed');
  return Promise.resolve(entries);
}

/** The tree that git's own index makes of the same edits. */
function byGit(edits: readonly (readonly [string, TreeEdit])[]): string {
  made.git('read-tree', base);
  const lines = [...edits]
    .sort(([, a], [, b]) => Number(a !== null) - Number(b !== null))
    .map(([path, edit]) =>
      edit === null ? `0 ${'0'.repeat(40)}\t${path}\0` : `${edit.mode.toString(8)} ${edit.id}\t${path}\0`,
    );
  made.gitBytes(['update-index', '-z', '--index-info'], lines.join(''));
  return made.git('write-tree').trim();
}

const CASES: Record<string, readonly (readonly [string, TreeEdit])[]> = {
  'no edit': [],
  'a file changed': [['a', file]],
  'a file added, deep down': [['new/deep/er/file', file]],
  'names that sort beside a directory': [
    ['a-b.c', file],
    ['a-b0', file],
    ['a.', file],
  ],
  'a file removed': [['dir/one', null]],
  'the last file of a directory removed': [['dir/deep/er/leaf', null]],
  'everything removed': ['a', 'a.b', 'a-b/x', 'dir/one', 'dir/two', 'dir/deep/er/leaf', 'ünïcode/x', 'z'].map(
    (path) => [path, null] as const,
  ),
  'what is not there removed': [
    ['nowhere', null],
    ['dir/nowhere/at/all', null],
  ],
  'a file becomes a directory': [
    ['z', null],
    ['z/inside', file],
  ],
  'a directory becomes a file': [
    ['dir/one', null],
    ['dir/two', null],
    ['dir/deep/er/leaf', null],
    ['dir', file],
  ],
  'a link and an executable': [
    ['link', { mode: 0o120000, id: blob }],
    ['run', { mode: 0o100755, id: blob }],
  ],
  'unicode and odd names': [
    ['ünïcode/y\n', file],
    ['日本', file],
    ['\u{1f600}', file],
  ],
};

describe('makes the tree that git makes', () => {
  test.each(Object.entries(CASES))('%s', async (_, edits) => {
    const outcome = await composeTree(base, new Map(edits), readTree);
    expect(outcome).toMatchObject({ kind: 'ok', tree: byGit(edits) });
  });
});

test('subtrees without an edit are not read', async () => {
  reads.length = 0;
  await composeTree(base, new Map([['dir/one', file]]), readTree);
  expect(reads).toEqual([base, made.git('rev-parse', 'HEAD:dir').trim()]);
});

describe('is refused', () => {
  const withSubmodule = (): ObjectId => {
    made.git('read-tree', base);
    made.git('update-index', '--add', '--cacheinfo', `160000,${commit},sub`);
    return made.git('write-tree').trim() as ObjectId;
  };
  test.each<[string, () => ObjectId, readonly (readonly [string, TreeEdit])[]]>([
    ['a path below a file', () => base, [['z/inside', file]]],
    [
      'a file and a path below it',
      () => base,
      [
        ['new', file],
        ['new/inside', file],
      ],
    ],
    ['a path inside a submodule', withSubmodule, [['sub/inside', file]]],
    ['a file instead of a submodule', withSubmodule, [['sub', file]]],
    ['the removal of a submodule', withSubmodule, [['sub', null]]],
  ])('%s', async (_, tree, edits) => {
    expect((await composeTree(tree(), new Map(edits), readTree)).kind).toBe('refused');
  });
});
