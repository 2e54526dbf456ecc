import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planUndo } from '../../../../src/kernel/commit/merge/plan-merge.ts';
import { runMerge, undoMerge } from '../../../../src/kernel/commit/merge/run-merge.ts';
import { EVERY_CHANGE } from '../../../support/busy-repository.ts';
import { busyRepositories, status } from '../../../support/merge-expectations.ts';
import { mergeWorld, prepare } from '../../../support/merge-fixture.ts';
import type { RealRepository } from '../../../support/real-git.ts';
import { snapshotTree } from '../../../support/snapshot-tree.ts';

const setUp = busyRepositories();

describe('undo', () => {
  const undo = (services: ReturnType<typeof mergeWorld>, operation: string) =>
    undoMerge(services, operation, (merge, id) => planUndo(merge, id, { seconds: 1_700_000_200, offsetMinutes: 0 }));

  /** Objects and logs remain: the commit can still be found in the reflog. */
  function withoutHistory(made: RealRepository): Record<string, string> {
    return Object.fromEntries(
      Object.entries(snapshotTree(made.root)).filter(([path]) => !/^\.git\/(objects|logs|refs\/fluffy)/.test(path)),
    );
  }

  test('restores the project as it was before', async () => {
    const { made, state } = setUp();
    const services = mergeWorld(made.root, state);
    const before = withoutHistory(made);
    const { plan, prepared } = await prepare(made, state, EVERY_CHANGE);
    const merged = await runMerge(services, plan);
    if (merged.kind !== 'merged') throw new Error(merged.reason);
    expect(await undo(services, merged.operation)).toMatchObject({ kind: 'merged' });
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
    const services = mergeWorld(made.root, state);
    const before = status(made);
    const merged = await runMerge(services, (await prepare(made, state, EVERY_CHANGE)).plan);
    if (merged.kind !== 'merged') throw new Error(merged.reason);
    made.git('add', 'mine/untracked.txt');
    expect(await undo(services, merged.operation)).toMatchObject({ kind: 'merged' });
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
    const services = mergeWorld(made.root, state);
    const merged = await runMerge(services, (await prepare(made, state, EVERY_CHANGE)).plan);
    if (merged.kind !== 'merged') throw new Error(merged.reason);
    appendFileSync(join(made.root, path), '// mine\n');
    const before = snapshotTree(made.root);
    expect(await undo(services, merged.operation)).toMatchObject({ kind: 'conflict', paths: [path] });
    expect(snapshotTree(made.root)).toEqual(before);
  });

  test('is refused when a commit was made since', async () => {
    const { made, state } = setUp();
    const services = mergeWorld(made.root, state);
    const merged = await runMerge(services, (await prepare(made, state, EVERY_CHANGE)).plan);
    if (merged.kind !== 'merged') throw new Error(merged.reason);
    made.git('commit', '-q', '-m', 'mine');
    const before = snapshotTree(made.root);
    expect(await undo(services, merged.operation)).toMatchObject({ kind: 'conflict' });
    expect(snapshotTree(made.root)).toEqual(before);
  });
});

function byPath(a: string, b: string): number {
  if (a === '' || b === '') return a === '' ? 1 : -1;
  const rank = (line: string) => (line.startsWith('??') ? 1 : 0);
  return rank(a) - rank(b) || (a.slice(3) < b.slice(3) ? -1 : 1);
}
