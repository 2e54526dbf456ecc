import { chmodSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runMerge } from '../../../../src/kernel/commit/merge/run-merge.ts';
import { Disk } from '../../../../src/platform/git/merge/disk.ts';
import { EVERY_CHANGE } from '../../../support/busy-repository.ts';
import { busyRepositories, expectMerged, othersWork, status } from '../../../support/merge-expectations.ts';
import { MESSAGE, mergeWorld, OWNER, prepare } from '../../../support/merge-fixture.ts';
import { snapshotTree } from '../../../support/snapshot-tree.ts';

const setUp = busyRepositories();

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
      /^[0-9a-f]{2}\/[0-9a-f]{62}\.json\n/,
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
    const services = mergeWorld(made.root, state);
    await runMerge(services, (await prepare(made, state, EVERY_CHANGE)).plan);
    await runMerge(services, (await prepare(made, state, { 'src/app.js': { text: 'again\n' } })).plan);
    expect(made.git('rev-list', '--count', 'refs/fluffy/evidence').trim()).toBe('2');
    expect(made.git('ls-tree', '-r', '--name-only', 'refs/fluffy/evidence').trim().split('\n')).toHaveLength(2);
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

test('where names cannot change places, a plain rename does', async () => {
  const { made, state } = setUp();
  const statusBefore = status(made);
  const { plan, prepared } = await prepare(made, state, EVERY_CHANGE);
  const services = mergeWorld(made.root, state, { exchangeNames: () => false });
  expect((await runMerge(services, plan)).kind).toBe('merged');
  expectMerged(made, prepared.commit, statusBefore);
});
