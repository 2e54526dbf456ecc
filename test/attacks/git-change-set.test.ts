import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import type { FileState } from '../../src/contracts/review/change-set.ts';
import type { ObjectId, Sha256 } from '../../src/contracts/ids.ts';
import { composeChanges } from '../../src/kernel/repository/compose-changes.ts';
import { ordinaryGitDirectories } from '../../src/lib/git/git-directories.ts';
import { openRepository } from '../../src/platform/git/repository.ts';
import { makeRepository } from '../support/real-git.ts';

const made = makeRepository();
made.write('src/app.js', 'app\n');
made.commit('first');
made.git('update-index', '--add', '--cacheinfo', `160000,${made.git('rev-parse', 'HEAD').trim()},sub`);
made.git('commit', '-q', '-m', 'a submodule');
const repository = openRepository(ordinaryGitDirectories(made.root));
afterAll(async () => {
  await repository.close();
  made.remove();
});

const CONTENT = Buffer.from('evil\n');
const FILE: FileState = {
  kind: 'file',
  sha256: createHash('sha256').update(CONTENT).digest('hex') as Sha256,
  size: CONTENT.length,
  executable: false,
};

async function compose(path: string, after: FileState, staged: Buffer | null = CONTENT): Promise<string> {
  const head = await repository.state();
  if (head.kind === 'problem') throw new Error(JSON.stringify(head.problem));
  const changes = [{ path, before: { kind: 'absent' } as const, after }];
  return (await composeChanges(repository, head.state, changes, () => Promise.resolve(staged))).kind;
}

describe('no commit is made of a change', () => {
  test.each([
    ['to a hook', '.git/hooks/pre-commit'],
    ['to the configuration, in other letters', '.GIT/config'],
    ['to a nested repository', 'vendor/lib/.git/config'],
    ['that makes a .git file', 'vendor/lib/.git'],
    ['to .git with an ignored character', '.g\u200cit/config'],
    ['to .git by its short name', 'git~1/config'],
    ['to .git with trailing dots', '.git. ./config'],
    ['to a stream of .git', '.git::$INDEX_ALLOCATION/config'],
    ['outside', '../outside'],
    ['to an absolute path', '/etc/passwd'],
    ['with an empty component', 'a//b'],
    ['with a NUL', 'a\0b'],
    ['with half a character', 'a\ud800'],
    ['inside a submodule', 'sub/file'],
    ['in a submodule’s place', 'sub'],
    ['below a file', 'src/app.js/inside'],
  ])('%s', async (_, path) => {
    expect(await compose(path, FILE)).toBe('refused');
  });

  test('that makes .gitmodules a link', async () => {
    expect(await compose('.gitmodules', { kind: 'symlink', target: '/etc/passwd' })).toBe('refused');
  });

  test('whose staged content is not what was reviewed, or is gone', async () => {
    expect(await compose('a.txt', FILE, Buffer.from('other\n'))).toBe('refused');
    expect(await compose('a.txt', FILE, null)).toBe('refused');
  });
});

test('an ordinary change beside a submodule keeps the submodule', async () => {
  const head = await repository.state();
  if (head.kind === 'problem') throw new Error(JSON.stringify(head.problem));
  const changes = [{ path: 'a.txt', before: { kind: 'absent' } as const, after: FILE }];
  const outcome = await composeChanges(repository, head.state, changes, () => Promise.resolve(CONTENT));
  if (outcome.kind !== 'composed') throw new Error(outcome.kind);
  const root = outcome.composed.objects.get(outcome.composed.tree);
  expect(made.gitBytes(['hash-object', '-w', '-t', 'tree', '--stdin'], root?.content).toString().trim()).toBe(
    outcome.composed.tree,
  );
  made.gitBytes(['hash-object', '-w', '--stdin'], CONTENT);
  expect(made.git('diff-tree', '-r', '--name-status', 'HEAD', outcome.composed.tree satisfies ObjectId)).toBe(
    'A\ta.txt\n',
  );
});
