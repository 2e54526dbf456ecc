import { appendFileSync, chmodSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CommitsServices } from '../../../../src/kernel/commit/commit-services.ts';
import { RepositoryCommits } from '../../../../src/kernel/commit/repository-commits.ts';
import { runMerge } from '../../../../src/kernel/commit/merge/run-merge.ts';
import type { Session } from '../../../../src/kernel/session/session.ts';
import { ordinaryGitDirectories } from '../../../../src/lib/git/git-directories.ts';
import { Disk } from '../../../../src/platform/git/merge/disk.ts';
import { openRepository } from '../../../../src/platform/git/repository.ts';
import { EVERY_CHANGE } from '../../../support/busy-repository.ts';
import { busyRepositories, expectMerged, parentsOf, status } from '../../../support/merge-expectations.ts';
import { mergeWorld, prepare } from '../../../support/merge-fixture.ts';
import type { RealRepository } from '../../../support/real-git.ts';
import { snapshotTree } from '../../../support/snapshot-tree.ts';

const setUp = busyRepositories();

/** What a human, or their git, may do between the reading and the merge. */
const INTERFERENCE: Record<string, (made: RealRepository) => void> = {
  'a file that is replaced was edited': (made) => appendFileSync(join(made.root, 'src/app.js'), '// mine\n'),
  'a file that is replaced became executable': (made) => chmodSync(join(made.root, 'src/app.js'), 0o755),
  'a file that is deleted was edited': (made) => appendFileSync(join(made.root, 'dir/one'), 'mine\n'),
  'a file was made where one is added': (made) => made.write('src/new/deep/file.js', 'mine\n'),
  'a link was changed': (made) => {
    rmSync(join(made.root, 'link'));
    symlinkSync('/etc/passwd', join(made.root, 'link'));
  },
  'a directory on the way became a link out of the project, to the same files': (made) => {
    renameSync(join(made.root, 'src'), join(made.root, '..', 'outside'));
    symlinkSync('../outside', join(made.root, 'src'));
  },
  'the evidence has moved': (made) => void made.git('update-ref', 'refs/fluffy/evidence', 'HEAD'),
  'a file is in a directory that gives its place to a file': (made) => made.write('swapdir/mine', 'mine\n'),
  'a commit was made': (made) => void made.git('commit', '-q', '--allow-empty', '-m', 'mine'),
  'another branch was checked out': (made) => void made.git('switch', '-q', '-c', 'mine'),
  'git holds the index': (made) => writeFileSync(join(made.root, '.git/index.lock'), ''),
  'git holds the branch': (made) => writeFileSync(join(made.root, '.git/refs/heads/main.lock'), ''),
  'git holds HEAD': (made) => writeFileSync(join(made.root, '.git/HEAD.lock'), ''),
  'a merge was begun': (made) => writeFileSync(join(made.root, '.git/MERGE_HEAD'), `${'1'.repeat(40)}\n`),
  'a path below a new file was staged': (made) => {
    const blob = made.gitBytes(['hash-object', '-w', '--stdin'], 'mine').toString().trim();
    made.git('update-index', '--add', '--cacheinfo', `100644,${blob},bin/new.sh/mine`);
  },
  'the index was damaged': (made) => appendFileSync(join(made.root, '.git/index'), 'x'),
};

describe('is a conflict, and nothing is written, when', () => {
  test.each(Object.keys(INTERFERENCE))('%s', async (name) => {
    const { made, state } = setUp();
    const { plan } = await prepare(made, state, EVERY_CHANGE);
    INTERFERENCE[name]?.(made);
    const before = snapshotTree(join(made.root, '..'));
    const outcome = await runMerge(mergeWorld(made.root, state), plan);
    expect(outcome).toMatchObject({ kind: 'conflict' });
    expect(snapshotTree(join(made.root, '..'))).toEqual(before);
    expect(mergeWorld(made.root, state).log.pending()).toEqual([]);
  });
});

/** What no approval is about, what is an error by itself, and what a step notices. */
const SEEN_LATER = [
  'the evidence has moved',
  'the index was damaged',
  'a file is in a directory that gives its place to a file',
];

describe('is named before an approval is taken, and nothing is written, when', () => {
  test.each(Object.keys(INTERFERENCE).filter((name) => !SEEN_LATER.includes(name)))('%s', async (name) => {
    const { made, state } = setUp();
    const { prepared } = await prepare(made, state, EVERY_CHANGE);
    const commits = new RepositoryCommits({
      openRepository: () => openRepository(ordinaryGitDirectories(made.root), () => Promise.resolve()),
      target: mergeWorld(made.root, state).target,
    } as unknown as CommitsServices);
    const session = { snapshot: { prepared: { prepared, facts: {} } } } as unknown as Session;
    expect(await commits.obstacle(session)).toBeNull();
    INTERFERENCE[name]?.(made);
    const before = snapshotTree(join(made.root, '..'));
    expect(await commits.obstacle(session)).toEqual(expect.any(String));
    expect(snapshotTree(join(made.root, '..'))).toEqual(before);
  });
});

test('a lock that git holds for a moment is waited for', async () => {
  const { made, state } = setUp();
  const { plan } = await prepare(made, state, EVERY_CHANGE);
  const lock = join(made.root, '.git/index.lock');
  writeFileSync(lock, '');
  let pauses = 0;
  const pause = (): Promise<void> => {
    pauses += 1;
    if (pauses === 3) rmSync(lock);
    return Promise.resolve();
  };
  expect(await runMerge(mergeWorld(made.root, state, { pause }), plan)).toMatchObject({ kind: 'merged' });
  expect(pauses).toBe(3);
});

describe('what somebody saves in the very last moment is a conflict, and kept', () => {
  /** Just before this call on this name. */
  const MOMENTS: Record<string, { call: string; name: string; path: string; save: (path: string) => void }> = {
    'edited in place, where it is replaced': {
      call: 'exchange',
      name: 'app.js',
      path: 'src/app.js',
      save: (path) => writeFileSync(path, 'mine\n'),
    },
    'saved as a new file, where it is replaced': {
      call: 'exchange',
      name: 'app.js',
      path: 'src/app.js',
      save: (path) => {
        writeFileSync(`${path}~`, 'mine\n');
        renameSync(`${path}~`, path);
      },
    },
    'edited, where it is deleted': {
      call: 'rename',
      name: '.fluffy-o_test0000-2',
      path: 'dir/one',
      save: (path) => writeFileSync(path, 'mine\n'),
    },
    'made, where one is added': {
      call: 'link',
      name: 'file.js',
      path: 'src/new/deep/file.js',
      save: (path) => writeFileSync(path, 'mine\n'),
    },
  };
  test.each(Object.entries(MOMENTS))('%s', async (_, { call, name, path, save }) => {
    const { made, state } = setUp();
    const before = snapshotTree(made.root);
    const { plan } = await prepare(made, state, EVERY_CHANGE);
    let saved = 0;
    const disk = new Disk((now, at) => {
      if (now === call && at.endsWith(`/${name}`) && saved++ === 0) save(join(made.root, path));
    });
    const outcome = await runMerge(mergeWorld(made.root, state, { disk }), plan);
    expect(saved).toBeGreaterThan(0);
    expect(outcome).toMatchObject({ kind: 'conflict', paths: [path] });
    expect(readFileSync(join(made.root, path), 'utf8')).toBe('mine\n');
    const after = snapshotTree(made.root);
    for (const mine of [path, ...parentsOf(path)]) {
      delete after[mine];
      delete before[mine];
    }
    expect(after).toEqual(before);
  });
});

test('a file that somebody deletes in the last moment counts as deleted', async () => {
  const { made, state } = setUp();
  const statusBefore = status(made);
  const { plan, prepared } = await prepare(made, state, EVERY_CHANGE);
  let deletions = 0;
  const disk = new Disk((call, at) => {
    if (call === 'create' && at.endsWith('/.fluffy-o_test0000-0') && deletions++ === 0)
      rmSync(join(made.root, 'dir/one'));
  });
  expect(await runMerge(mergeWorld(made.root, state, { disk }), plan)).toMatchObject({ kind: 'merged' });
  expect(deletions).toBe(1);
  expectMerged(made, prepared.commit, statusBefore);
});
