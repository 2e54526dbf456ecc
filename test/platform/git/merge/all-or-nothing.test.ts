import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recoverMerges, runMerge } from '../../../../src/kernel/commit/merge/run-merge.ts';
import type { MergeServices } from '../../../../src/kernel/commit/merge/run-merge.ts';
import { Disk } from '../../../../src/platform/git/merge/disk.ts';
import { EVERY_CHANGE } from '../../../support/busy-repository.ts';
import { busyRepositories, expectMerged, status } from '../../../support/merge-expectations.ts';
import { mergeWorld, prepare } from '../../../support/merge-fixture.ts';
import { snapshotTree } from '../../../support/snapshot-tree.ts';

const setUp = busyRepositories();

class Stopped extends Error {}

/**
 * A services that stops before the disk's `nth` call: from then on nothing is written any more, as after a kill. With `logLives` the
 * operation log goes on, as when only the project's disk breaks: then the merge has been turned back when the restart comes.
 */
function worldThatStops(
  root: string,
  state: string,
  nth: number,
  logLives: boolean,
): MergeServices & { calls(): number } {
  let calls = 0;
  const disk = new Disk(() => {
    if (++calls >= nth) throw new Stopped();
  });
  const services = mergeWorld(root, state, { disk });
  const alive = <T>(work: () => T): T => {
    if (calls >= nth && !logLives) throw new Stopped();
    return work();
  };
  const log: MergeServices['log'] = {
    ...services.log,
    markStep: (id, step) => alive(() => services.log.markStep(id, step)),
    finish: (id, status) => alive(() => services.log.finish(id, status)),
  };
  return { target: services.target, log, calls: () => calls };
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
  const services = worldThatStops(made.root, state, Number.MAX_SAFE_INTEGER, true);
  await runMerge(services, plan);
  return services.calls();
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
      const { made, state, remove } = setUp();
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
      remove();
    }
    expect(logLives ? ends.undone : ends.merged).toBeGreaterThan(8);
  });

  test('when any of its system calls fails', { timeout: 900_000 }, async () => {
    const total = await countCalls();
    for (const nth of sample(total, 12)) {
      const { made, state, remove } = setUp();
      const before = snapshotTree(made.root);
      const { plan } = await prepare(made, state, EVERY_CHANGE);
      const outcome = await runMerge(mergeWorld(made.root, state, { disk: diskThatFails(nth) }), plan);
      expect(outcome, `failed at call ${nth}`).toEqual({
        kind: 'failed',
        reason: expect.stringContaining('no space left') as string,
      });
      expect(snapshotTree(made.root), `failed at call ${nth}`).toEqual(before);
      expect(existsSync(join(state, 'backups', 'o_test0000'))).toBe(false);
      remove();
    }
  });
});
