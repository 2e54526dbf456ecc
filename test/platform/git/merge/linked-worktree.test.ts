import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { planUndo } from '../../../../src/kernel/commit/merge/plan-merge.ts';
import { recoverMerges, runMerge, undoMerge } from '../../../../src/kernel/commit/merge/run-merge.ts';
import { Disk } from '../../../../src/platform/git/merge/disk.ts';
import { EVERY_CHANGE } from '../../../support/busy-repository.ts';
import { busyRepositories } from '../../../support/merge-expectations.ts';
import { mergeWorld, OWNER, prepare } from '../../../support/merge-fixture.ts';
import { snapshotTree } from '../../../support/snapshot-tree.ts';

const setUp = busyRepositories();

/** A worktree of a busy repository, on a branch of its own, from the same commit. */
function linked() {
  const { made, state, remove } = setUp();
  const root = join(dirname(made.root), 'side');
  made.git('worktree', 'add', '-q', '-b', 'side', root);
  made.chownAll(OWNER.uid, OWNER.gid);
  execFileSync('chown', ['-R', `${OWNER.uid}:${OWNER.gid}`, root]);
  const git = { gitDir: join(made.root, '.git/worktrees/side'), commonDir: join(made.root, '.git') };
  return {
    made,
    state,
    root,
    git,
    remove,
    inside: (...args: string[]) => made.git('-C', root, ...args),
    services: (disk?: Disk) => mergeWorld(root, state, { git, ...(disk === undefined ? {} : { disk }) }),
    prepare: () => prepare({ root }, state, EVERY_CHANGE, git),
  };
}

/** All but objects and logs, of the repository, its checkout and the worktree. */
const withoutHistory = (base: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(snapshotTree(base)).filter(
      ([path]) => !/\.git\/(objects|logs|worktrees\/side\/logs|refs\/fluffy)/.test(path),
    ),
  );

test('a merge moves the branch, HEAD’s log and index of the worktree, and nothing of the main checkout', async () => {
  const { made, root, git, services, prepare: prepared, inside } = linked();
  const ofMain = () => ({
    head: made.git('rev-parse', 'HEAD', 'main'),
    status: made.git('--no-optional-locks', 'status', '--porcelain=v1'),
    index: made.git('ls-files', '--stage'),
  });
  const before = ofMain();
  const { plan, prepared: commit } = await prepared();
  expect(await runMerge(services(), plan)).toMatchObject({ kind: 'merged' });
  expect(inside('rev-parse', 'HEAD', 'side')).toBe(`${commit.commit}\n${commit.commit}\n`);
  expect(inside('reflog', '-1', '--format=%H').trim()).toBe(commit.commit);
  expect(inside('status', '--porcelain=v1')).toBe('');
  inside('fsck', '--strict', '--full', '--no-dangling');
  expect(ofMain()).toEqual(before);
  for (const directory of [root, git.gitDir, git.commonDir])
    expect(readdirSync(directory).filter((name) => /fluffy|lock/.test(name))).toEqual([]);
});

test('an undo gives the worktree back as it was', async () => {
  const { made, root, services, prepare: prepared } = linked();
  const before = withoutHistory(dirname(made.root));
  const { plan, prepared: commit } = await prepared();
  const merged = await runMerge(services(), plan);
  if (merged.kind !== 'merged') throw new Error(merged.reason);
  const at = { seconds: 1_700_000_200, offsetMinutes: 0 };
  expect(await undoMerge(services(), merged.operation, (merge, id) => planUndo(merge, id, at))).toMatchObject({
    kind: 'merged',
  });
  expect(made.git('-C', root, 'rev-parse', 'HEAD').trim()).toBe(commit.parent);
  expect(withoutHistory(dirname(made.root))).toEqual(before);
});

test.each([
  ['the index of the worktree', (git: { gitDir: string; commonDir: string }) => join(git.gitDir, 'index.lock')],
  [
    'the branch, which all worktrees share',
    (git: { gitDir: string; commonDir: string }) => join(git.commonDir, 'refs/heads/side.lock'),
  ],
])('is a conflict while git holds %s', async (_, lock) => {
  const { git, services, prepare: prepared } = linked();
  const { plan } = await prepared();
  writeFileSync(lock(git), '');
  expect(await runMerge(services(), plan)).toMatchObject({ kind: 'conflict' });
});

test('goes on while git holds the index of the main checkout', async () => {
  const { made, services, prepare: prepared } = linked();
  const { plan } = await prepared();
  writeFileSync(join(made.root, '.git/index.lock'), '');
  expect(await runMerge(services(), plan)).toMatchObject({ kind: 'merged' });
});

test('is whole or not at all, wherever it is killed', { timeout: 900_000 }, async () => {
  class Stopped extends Error {}
  const stopAt = (nth: number) => {
    let calls = 0;
    const disk = new Disk(() => {
      if (++calls >= nth) throw new Stopped();
    });
    return { disk, calls: () => calls };
  };
  const counted = stopAt(Number.MAX_SAFE_INTEGER);
  const whole = linked();
  await runMerge(whole.services(counted.disk), (await whole.prepare()).plan);
  const total = counted.calls();
  const step = process.env['FLUFFY_SOAK'] === '1' ? 1 : Math.ceil(total / 12);
  const ends = new Set<string>();
  for (let nth = 1; nth <= total; nth += step) {
    const { made, services, prepare: prepared, inside, remove } = linked();
    const base = dirname(made.root);
    const before = snapshotTree(base);
    const { plan, prepared: commit } = await prepared();
    const { disk } = stopAt(nth);
    const broken = services(disk);
    await runMerge(
      {
        ...broken,
        log: {
          ...broken.log,
          markStep: () => {
            throw new Stopped();
          },
        },
      },
      plan,
    ).catch((error: unknown) => {
      if (!(error instanceof Stopped)) throw error;
    });
    const [recovered] = await recoverMerges(services());
    ends.add(recovered?.outcome.kind ?? 'none');
    if (recovered?.outcome.kind === 'merged') {
      expect(inside('rev-parse', 'HEAD').trim()).toBe(commit.commit);
      expect(inside('status', '--porcelain=v1')).toBe('');
    } else expect(snapshotTree(base), `stopped at call ${nth}`).toEqual(before);
    remove();
  }
  expect(ends.size).toBeGreaterThan(0);
});
