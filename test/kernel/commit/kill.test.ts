import { spawnSync } from 'node:child_process';
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { recoverMerges } from '../../../src/kernel/commit/merge/run-merge.ts';
import { busyRepository, EVERY_CHANGE } from '../../support/busy-repository.ts';
import { makeState, mergeWorld, OWNER, prepare } from '../../support/merge-fixture.ts';
import { copyRepository } from '../../support/real-git.ts';
import { snapshotTree } from '../../support/snapshot-tree.ts';

const template = busyRepository();
afterAll(() => template.remove());
const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const CHILD = join(import.meta.dirname, '../../support/merge-child.ts');
const STEPS = [
  'lock',
  'check',
  'back-up',
  'add-objects',
  'place',
  'remove',
  'publish',
  'update-ref',
  'update-ref',
  'append-reflog',
  'append-reflog',
  'update-index',
  'write-message',
  'unlock',
] as const;
/** In the middle of a step: after this number of its system calls. */
const INSIDE = [2, 5];

const moments = STEPS.flatMap((kind, step) =>
  ['before', 'after', ...INSIDE.map(String)].map((when) => ({ step, kind, when })),
).filter((_, n) => process.env['FLUFFY_SOAK'] === '1' || n % 4 === (n >> 2) % 4);

describe('a merge whose process is killed is whole after the next start', () => {
  test.each(moments)('at step $step ($kind), $when', async ({ step, kind, when }) => {
    const made = copyRepository(template);
    const state = makeState();
    cleanups.push(made.remove, state.remove);
    const { plan, prepared } = await prepare(made, state.path, EVERY_CHANGE);
    expect(plan.steps.map((planned) => planned.kind)).toEqual(STEPS);
    expect(plan.steps[step]?.kind).toBe(kind);
    const status = () =>
      made.git('--no-optional-locks', 'status', '--porcelain=v1', '--untracked-files=all', '--no-renames');
    const statusBefore = status();
    const filesBefore = Object.keys(snapshotTree(join(made.root, '.git')));
    writeFileSync(join(state.path, 'plan.json'), JSON.stringify(plan));
    for (const path of ['', 'backups']) chownSync(join(state.path, path), OWNER.uid, OWNER.gid);
    chownPrepared(state.path);

    const child = spawnSync(process.execPath, [CHILD, made.root, state.path, String(step), when], { encoding: 'utf8' });
    // A step with fewer calls than that ends alive.
    expect(child.signal ?? child.status, child.stderr).toBe(
      Number.isInteger(Number(when)) && child.signal === null ? 0 : 'SIGKILL',
    );

    const services = mergeWorld(made.root, state.path);
    await recoverMerges(services);
    expect(services.log.pending()).toEqual([]);
    expect(services.log.find('o_test0000')?.status).toBe('done');
    expect(made.git('rev-parse', 'HEAD').trim()).toBe(prepared.commit);
    expect(status()).toBe(statusBefore);
    made.git('fsck', '--strict', '--full', '--no-dangling');
    const added = Object.keys(snapshotTree(join(made.root, '.git'))).filter((name) => !filesBefore.includes(name));
    expect(added.filter((name) => !/^(objects\/|refs\/fluffy|refs\/heads\/main$)/.test(name))).toEqual([]);
    expect(
      Object.keys(snapshotTree(made.root)).filter((name) => name.includes('.fluffy-') || name.includes('tmp_obj')),
    ).toEqual([]);
  });
});

function chownPrepared(state: string): void {
  const directory = join(state, 'prepared');
  for (const name of ['', ...Object.keys(snapshotTree(directory))])
    chownSync(join(directory, name), OWNER.uid, OWNER.gid);
}
