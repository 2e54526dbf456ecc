import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { planUndo } from '../../../src/kernel/merge/plan-merge.ts';
import { recoverMerges, runMerge, undoMerge } from '../../../src/kernel/merge/run-merge.ts';
import type { MergeWorld } from '../../../src/kernel/merge/run-merge.ts';
import { Disk } from '../../../src/platform/git/merge/disk.ts';
import { busyRepository, EVERY_CHANGE } from '../../support/busy-repository.ts';
import { makeState, MESSAGE, mergeWorld, OWNER, prepare } from '../../support/merge-fixture.ts';
import { copyRepository } from '../../support/real-git.ts';
import type { RealRepository } from '../../support/real-git.ts';
import { snapshotTree } from '../../support/snapshot-tree.ts';

const template = busyRepository();
afterAll(() => template.remove());
const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

function setUp(): { made: RealRepository; state: string } {
  const made = copyRepository(template);
  const state = makeState();
  cleanups.push(made.remove, state.remove);
  return { made, state: state.path };
}

/** What a merge leaves alone, however it ends: everything but the session's paths and git's own files. */
function othersWork(made: RealRepository): Record<string, string> {
  const own = new Set(Object.keys(EVERY_CHANGE).flatMap((path) => [path, ...parentsOf(path)]));
  own.delete('mine');
  return Object.fromEntries(
    Object.entries(snapshotTree(made.root)).filter(
      ([path]) => !own.has(path) && path !== '.git' && !path.startsWith('.git/'),
    ),
  );
}

function parentsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, n) => parts.slice(0, n + 1).join('/'));
}

function status(made: RealRepository): string {
  return made.git('--no-optional-locks', 'status', '--porcelain=v1', '--untracked-files=all', '--no-renames');
}

function expectMerged(made: RealRepository, commit: string, statusBefore: string): void {
  expect(made.git('rev-parse', 'refs/heads/main').trim()).toBe(commit);
  expect(status(made)).toBe(statusBefore);
  made.git('fsck', '--strict', '--full', '--no-dangling');
  expect(readdirSync(join(made.root, '.git')).filter((name) => /fluffy|lock/.test(name))).toEqual([]);
  expect(
    Object.keys(snapshotTree(made.root)).filter((name) => name.includes('.fluffy-') || name.includes('tmp_obj')),
  ).toEqual([]);
  expect(made.git('diff', '--stat', 'HEAD', '--', ...Object.keys(EVERY_CHANGE))).toBe('');
}

describe('a merge', () => {
  test('becomes one commit; the work of others stays as it was, byte for byte', async () => {
    const { made, state } = setUp();
    const others = othersWork(made);
    const before = status(made);
    const staged = made.git('diff', '--cached', '--', 'mine');
    const { plan, prepared } = await prepare(made, state, EVERY_CHANGE);

    const outcome = await runMerge(mergeWorld(made.root, state), plan);

    expect(outcome).toMatchObject({ kind: 'merged', commit: prepared.commit });
    expectMerged(made, prepared.commit, before);
    expect(othersWork(made)).toEqual(others);
    expect(made.git('diff', '--cached', '--', 'mine')).toBe(staged);
    expect(made.git('log', '-1', '--format=%B')).toBe(`${MESSAGE}\n`);
    expect(made.git('log', '-1', '--format=%an <%ae> %ai')).toBe(
      'Ada Example <ada@example.org> 2023-11-14 23:15:00 +0100\n',
    );
    expect(made.git('log', '-1', '--format=%(trailers:key=Fluffy-Mode,valueonly)').trim()).toBe('strict');
    expect(made.git('reflog', '-1', '--format=%gs').trim()).toBe('commit: Add error handling');
    expect(readFileSync(join(made.root, '.git/COMMIT_EDITMSG'), 'utf8')).toBe(MESSAGE);
    expect(made.git('ls-tree', '-r', '--name-only', 'refs/fluffy/evidence')).toMatch(
      /^[0-9a-f]{2}\/[0-9a-f]{62}\/decision.json\n/,
    );
  });

  test('leaves files as the shell of their owner would: permissions, owner, executable bits', async () => {
    const { made, state } = setUp();
    chmodSync(join(made.root, 'src/app.js'), 0o640);
    const { plan } = await prepare(made, state, EVERY_CHANGE);
    await runMerge(mergeWorld(made.root, state), plan);
    const after = snapshotTree(made.root);
    expect(after['src/app.js']).toContain(`file 640 ${OWNER.uid}:${OWNER.gid} `);
    expect(after['bin/run.sh']).toContain(`file 755 ${OWNER.uid}:${OWNER.gid} `);
    expect(after['bin/new.sh']).toContain(`file 755 ${OWNER.uid}:${OWNER.gid} `);
    expect(after['src/new/deep/file.js']).toContain(`file 644 ${OWNER.uid}:${OWNER.gid} `);
    expect(after['src/new/deep']).toBe(`directory 755 ${OWNER.uid}:${OWNER.gid}`);
    expect(after['link']).toBe('link to src/other.js');
    expect(after['dir']).toBeUndefined();
    expect(Object.entries(after).filter(([, what]) => what.includes(' 0:0'))).toEqual([]);
  });

  test('can be followed by git commands that build on it', async () => {
    const { made, state } = setUp();
    const { plan } = await prepare(made, state, EVERY_CHANGE);
    await runMerge(mergeWorld(made.root, state), plan);
    // Git itself cannot stash what is half added.
    made.git('add', 'mine/half.txt');
    made.git('stash');
    made.git('stash', 'pop');
    made.git('commit', '-q', '-m', 'mine');
    made.git('gc', '-q', '--prune=now');
    made.git('fsck', '--strict', '--full', '--no-dangling');
  });

  test('of a second session adds to the evidence of the first', async () => {
    const { made, state } = setUp();
    const world = mergeWorld(made.root, state);
    await runMerge(world, (await prepare(made, state, EVERY_CHANGE)).plan);
    await runMerge(world, (await prepare(made, state, { 'src/app.js': { text: 'again\n' } })).plan);
    expect(made.git('rev-list', '--count', 'refs/fluffy/evidence').trim()).toBe('2');
    expect(made.git('ls-tree', '-r', '--name-only', 'refs/fluffy/evidence').trim().split('\n')).toHaveLength(4);
  });

  test('an edit made in the same second as the merge is not taken for unchanged', async () => {
    const { made, state } = setUp();
    const { plan } = await prepare(made, state, EVERY_CHANGE);
    await runMerge(mergeWorld(made.root, state), plan);
    writeFileSync(join(made.root, 'src/app.js'), 'export const app = 4;\n');
    expect(status(made)).toContain(' M src/app.js');
  });

  test('an edit that only its age gives away stays visible after the index is written again', async () => {
    const { made, state } = setUp();
    made.git('config', 'core.trustctime', 'false');
    made.git('config', 'core.checkStat', 'minimal');
    const path = join(made.root, 'mine/staged.txt');
    const moment = 1_700_000_000;
    const sameAge = (file: string): void => utimesSync(file, moment, moment);
    sameAge(path);
    made.git('update-index', '--add', 'mine/staged.txt');
    writeFileSync(path, readFileSync(path, 'utf8').toUpperCase());
    sameAge(path);
    sameAge(join(made.root, '.git/index'));
    const before = status(made);
    expect(before).toContain('MM mine/staged.txt');
    const { plan } = await prepare(made, state, EVERY_CHANGE);
    await runMerge(mergeWorld(made.root, state), plan);
    expect(status(made)).toBe(before);
  });

  test('an edit between the files and the index is kept, and not taken for what was committed', async () => {
    const { made, state } = setUp();
    const { plan } = await prepare(made, state, EVERY_CHANGE);
    const mine = 'export const app = 9;\n';
    const disk = new Disk((call, path) => {
      if (call !== 'rename' || !path.endsWith('/main')) return;
      writeFileSync(join(made.root, 'src/app.js'), mine);
      // Older than the index: git would trust a stat of it.
      utimesSync(join(made.root, 'src/app.js'), 1_700_000_000, 1_700_000_000);
    });
    expect((await runMerge(mergeWorld(made.root, state, { disk }), plan)).kind).toBe('merged');
    expect(readFileSync(join(made.root, 'src/app.js'), 'utf8')).toBe(mine);
    expect(status(made)).toContain(' M src/app.js');
  });

  test.each([2, 4])('keeps an index of version %i in its version', async (version) => {
    const { made, state } = setUp();
    made.git('update-index', '--index-version', String(version));
    const before = status(made);
    const { plan, prepared } = await prepare(made, state, EVERY_CHANGE);
    await runMerge(mergeWorld(made.root, state), plan);
    const bytes = readFileSync(join(made.root, '.git/index'));
    // Intent-to-add needs extended flags: at least version 3.
    expect(bytes.readUInt32BE(4)).toBe(Math.max(version, 3));
    expectMerged(made, prepared.commit, before);
  });
});

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

test('where names cannot change places, a plain rename does', async () => {
  const { made, state } = setUp();
  const statusBefore = status(made);
  const { plan, prepared } = await prepare(made, state, EVERY_CHANGE);
  const world = mergeWorld(made.root, state, { exchangeNames: () => false });
  expect((await runMerge(world, plan)).kind).toBe('merged');
  expectMerged(made, prepared.commit, statusBefore);
});

describe('undo', () => {
  const undo = (world: ReturnType<typeof mergeWorld>, operation: string) =>
    undoMerge(world, operation, (merge, id) => planUndo(merge, id, { seconds: 1_700_000_200, offsetMinutes: 0 }));

  /** Objects and logs remain: the commit can still be found in the reflog. */
  function withoutHistory(made: RealRepository): Record<string, string> {
    return Object.fromEntries(
      Object.entries(snapshotTree(made.root)).filter(([path]) => !/^\.git\/(objects|logs|refs\/fluffy)/.test(path)),
    );
  }

  test('restores the project as it was before', async () => {
    const { made, state } = setUp();
    const world = mergeWorld(made.root, state);
    const before = withoutHistory(made);
    const { plan, prepared } = await prepare(made, state, EVERY_CHANGE);
    const merged = await runMerge(world, plan);
    if (merged.kind !== 'merged') throw new Error(merged.reason);
    expect(await undo(world, merged.operation)).toMatchObject({ kind: 'merged' });
    const after = withoutHistory(made);
    // The ref was packed and is loose now: it says the same.
    expect(made.git('rev-parse', 'HEAD').trim()).toBe(prepared.parent);
    expect(after).toEqual(before);
    made.git('fsck', '--strict', '--full', '--no-dangling');
    expect(made.git('reflog', '-1', '--format=%gs').trim()).toBe(`undo: moving to ${prepared.parent}`);
    expect(made.git('cat-file', '-t', prepared.commit).trim()).toBe('commit');
  });

  test('works after git has refreshed the index, and keeps what was staged since', async () => {
    const { made, state } = setUp();
    const world = mergeWorld(made.root, state);
    const before = status(made);
    const merged = await runMerge(world, (await prepare(made, state, EVERY_CHANGE)).plan);
    if (merged.kind !== 'merged') throw new Error(merged.reason);
    made.git('add', 'mine/untracked.txt');
    expect(await undo(world, merged.operation)).toMatchObject({ kind: 'merged' });
    expect(status(made)).toBe(
      before
        .replace('?? mine/untracked.txt\n', '')
        .replace('A  mine/new-staged.txt\n', 'A  mine/new-staged.txt\nA  mine/untracked.txt\n')
        .split('\n')
        .sort(byPath)
        .join('\n'),
    );
    made.git('fsck', '--strict', '--full', '--no-dangling');
  });

  test.each(['src/app.js', 'bin/new.sh', 'swap/inner'])('is refused when %s was edited since', async (path) => {
    const { made, state } = setUp();
    const world = mergeWorld(made.root, state);
    const merged = await runMerge(world, (await prepare(made, state, EVERY_CHANGE)).plan);
    if (merged.kind !== 'merged') throw new Error(merged.reason);
    appendFileSync(join(made.root, path), '// mine\n');
    const before = snapshotTree(made.root);
    expect(await undo(world, merged.operation)).toMatchObject({ kind: 'conflict', paths: [path] });
    expect(snapshotTree(made.root)).toEqual(before);
  });

  test('is refused when a commit was made since', async () => {
    const { made, state } = setUp();
    const world = mergeWorld(made.root, state);
    const merged = await runMerge(world, (await prepare(made, state, EVERY_CHANGE)).plan);
    if (merged.kind !== 'merged') throw new Error(merged.reason);
    made.git('commit', '-q', '-m', 'mine');
    const before = snapshotTree(made.root);
    expect(await undo(world, merged.operation)).toMatchObject({ kind: 'conflict' });
    expect(snapshotTree(made.root)).toEqual(before);
  });
});

function byPath(a: string, b: string): number {
  if (a === '' || b === '') return a === '' ? 1 : -1;
  const rank = (line: string) => (line.startsWith('??') ? 1 : 0);
  return rank(a) - rank(b) || (a.slice(3) < b.slice(3) ? -1 : 1);
}

class Stopped extends Error {}

/**
 * A world that stops before the disk's `nth` call: from then on nothing is written any more, as after a kill. With `logLives` the
 * operation log goes on, as when only the project's disk breaks: then the merge has been turned back when the restart comes.
 */
function worldThatStops(root: string, state: string, nth: number, logLives: boolean): MergeWorld & { calls(): number } {
  let calls = 0;
  const disk = new Disk(() => {
    if (++calls >= nth) throw new Stopped();
  });
  const world = mergeWorld(root, state, { disk });
  const alive = <T>(work: () => T): T => {
    if (calls >= nth && !logLives) throw new Stopped();
    return work();
  };
  const log: MergeWorld['log'] = {
    ...world.log,
    markStep: (id, step) => alive(() => world.log.markStep(id, step)),
    finish: (id, status) => alive(() => world.log.finish(id, status)),
  };
  return { target: world.target, log, calls: () => calls };
}

/** A disk whose `nth` call fails, as on a full one, and then works again. */
function diskThatFails(nth: number): Disk {
  let calls = 0;
  return new Disk((call) => {
    if (++calls === nth) throw Object.assign(new Error(`no space left: ${call}`), { code: 'ENOSPC' });
  });
}

async function countCalls(): Promise<number> {
  const { made, state } = setUp();
  const { plan } = await prepare(made, state, EVERY_CHANGE);
  const world = worldThatStops(made.root, state, Number.MAX_SAFE_INTEGER, true);
  await runMerge(world, plan);
  return world.calls();
}

/** All of them in the soak, a spread of them otherwise. */
function sample(count: number, size: number): number[] {
  const all = Array.from({ length: count }, (_, n) => n + 1);
  return process.env['FLUFFY_SOAK'] === '1' ? all : all.filter((n) => n % Math.ceil(count / size) === 0);
}

describe('all or nothing', () => {
  test.each([
    { name: 'is killed', logLives: false },
    { name: 'loses its disk', logLives: true },
  ])('when it $name before any of its system calls', { timeout: 900_000 }, async ({ logLives }) => {
    const total = await countCalls();
    expect(total).toBeGreaterThan(100);
    const ends = { merged: 0, undone: 0 };
    for (const nth of sample(total, 12)) {
      const { made, state } = setUp();
      const before = snapshotTree(made.root);
      const statusBefore = status(made);
      const { plan, prepared } = await prepare(made, state, EVERY_CHANGE);
      await runMerge(worldThatStops(made.root, state, nth, logLives), plan).catch((error: unknown) => {
        if (!(error instanceof Stopped)) throw error;
      });
      const [recovered] = await recoverMerges(mergeWorld(made.root, state));
      if (recovered?.outcome.kind === 'merged') {
        expectMerged(made, prepared.commit, statusBefore);
        ends.merged++;
      } else {
        expect(snapshotTree(made.root), `stopped at call ${nth}`).toEqual(before);
        ends.undone++;
      }
      expect(mergeWorld(made.root, state).log.pending()).toEqual([]);
      for (const cleanup of cleanups.splice(0)) cleanup();
    }
    expect(logLives ? ends.undone : ends.merged).toBeGreaterThan(8);
  });

  test('when any of its system calls fails', { timeout: 900_000 }, async () => {
    const total = await countCalls();
    for (const nth of sample(total, 12)) {
      const { made, state } = setUp();
      const before = snapshotTree(made.root);
      const { plan } = await prepare(made, state, EVERY_CHANGE);
      const outcome = await runMerge(mergeWorld(made.root, state, { disk: diskThatFails(nth) }), plan);
      expect(outcome, `failed at call ${nth}`).toEqual({
        kind: 'failed',
        reason: expect.stringContaining('no space left') as string,
      });
      expect(snapshotTree(made.root), `failed at call ${nth}`).toEqual(before);
      expect(existsSync(join(state, 'backups', 'o_test0000'))).toBe(false);
      for (const cleanup of cleanups.splice(0)) cleanup();
    }
  });
});
