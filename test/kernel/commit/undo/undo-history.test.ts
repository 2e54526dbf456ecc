import { appendFileSync, existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CommitsServices } from '../../../../src/kernel/commit/commit-services.ts';
import { RepositoryCommits } from '../../../../src/kernel/commit/repository-commits.ts';
import { recoverMerges, runMerge } from '../../../../src/kernel/commit/merge/run-merge.ts';
import {
  forgetOldMerges,
  MERGES_KEPT,
  redoCommit,
  settleUndo,
  undoCommit,
} from '../../../../src/kernel/commit/undo/undo-history.ts';
import { mergeWorld, prepare } from '../../../support/merge-fixture.ts';
import { makeFastDirectory } from '../../../support/fast-directory.ts';
import { makeRepository } from '../../../support/real-git.ts';
import type { RealRepository } from '../../../support/real-git.ts';
import { rmSync } from 'node:fs';

const AT = { seconds: 1_700_000_200, offsetMinutes: 0 };

let project: RealRepository;
let state: string;

beforeEach(() => {
  project = makeRepository();
  project.write('a.js', '0\n');
  project.commit('First');
  project.chownAll(1000, 1000);
  state = makeFastDirectory('fluffy-state-');
});
afterEach(() => {
  project.remove();
  rmSync(state, { recursive: true, force: true });
});

/** Merges a commit that makes a.js say so; returns its id and the operation. */
async function merge(services: ReturnType<typeof mergeWorld>, text: string) {
  const outcome = await runMerge(services, (await prepare(project, state, { 'a.js': { text } })).plan);
  if (outcome.kind !== 'merged') throw new Error(outcome.reason);
  return outcome;
}

const backups = () => readdirSync(join(state, 'backups')).filter((name) => name.startsWith('o_'));
const head = () => project.git('rev-parse', 'HEAD').trim();

describe('the merges that can be taken back', () => {
  it('are found by their commits, and are gone with their backups when they were', async () => {
    const services = mergeWorld(project.root, state);
    const before = head();
    const { commit } = await merge(services, '1\n');
    expect(backups()).toHaveLength(1);
    expect(await undoCommit(services, commit, AT)).toMatchObject({ kind: 'merged' });
    expect(head()).toBe(before);
    expect(backups()).toEqual([]);
    expect(await undoCommit(services, commit, AT)).toBeNull();
  });

  it('go back one after another, the newest first', async () => {
    const services = mergeWorld(project.root, state);
    const first = await merge(services, '1\n');
    const second = await merge(services, '2\n');
    expect(await undoCommit(services, first.commit, AT)).toMatchObject({ kind: 'conflict' });
    expect(await undoCommit(services, second.commit, AT)).toMatchObject({ kind: 'merged' });
    expect(await undoCommit(services, first.commit, AT)).toMatchObject({ kind: 'merged' });
    expect(project.git('status', '--porcelain')).toBe('');
  });

  it('stay when they could not be taken back, with the files that are in the way', async () => {
    const services = mergeWorld(project.root, state);
    const { commit } = await merge(services, '1\n');
    appendFileSync(join(project.root, 'a.js'), 'mine\n');
    expect(await undoCommit(services, commit, AT)).toMatchObject({ kind: 'conflict', paths: ['a.js'] });
    expect(backups()).toHaveLength(1);
    project.write('a.js', '1\n');
    expect(await undoCommit(services, commit, AT)).toMatchObject({ kind: 'merged' });
  });

  it('are the newest ones: what older ones replaced is dropped', async () => {
    const services = mergeWorld(project.root, state);
    const merged = [];
    for (let n = 1; n <= MERGES_KEPT + 2; n += 1) merged.push(await merge(services, `${n}\n`));
    await forgetOldMerges(services);
    expect(backups().sort()).toEqual(
      merged
        .slice(2)
        .map(({ operation }) => operation)
        .sort(),
    );
    expect(await undoCommit(services, merged[0]?.commit ?? '', AT)).toBeNull();
    expect(await undoCommit(services, merged.at(-1)?.commit ?? '', AT)).toMatchObject({ kind: 'merged' });
  }, 60_000);

  it('are made again as they were, as often as they were taken back', async () => {
    const services = mergeWorld(project.root, state);
    const { commit } = await merge(services, '1\n');
    const merged = [project.git('ls-files', '--stage'), project.git('status', '--porcelain')];
    for (let times = 0; times < 2; times += 1) {
      expect(await undoCommit(services, commit, AT)).toMatchObject({ kind: 'merged' });
      expect(await redoCommit(services, commit, AT)).toMatchObject({ kind: 'merged', commit });
      expect(head()).toBe(commit);
      expect([project.git('ls-files', '--stage'), project.git('status', '--porcelain')]).toEqual(merged);
      expect(project.git('reflog', '-1', '--format=%gs').trim()).toBe(`redo: moving to ${commit}`);
    }
    project.git('fsck', '--strict');
  });

  it('are made again in the order of the commits, and not twice', async () => {
    const services = mergeWorld(project.root, state);
    const first = await merge(services, '1\n');
    const second = await merge(services, '2\n');
    for (const { commit } of [second, first]) await undoCommit(services, commit, AT);
    expect(await redoCommit(services, second.commit, AT)).toMatchObject({ kind: 'conflict' });
    expect(await redoCommit(services, first.commit, AT)).toMatchObject({ kind: 'merged' });
    expect(await redoCommit(services, first.commit, AT)).toMatchObject({ kind: 'conflict' });
    expect(await redoCommit(services, second.commit, AT)).toMatchObject({ kind: 'merged' });
    expect(await redoCommit(services, 'c'.repeat(40), AT)).toBeNull();
  });

  it('are not made again over what a person has written since', async () => {
    const services = mergeWorld(project.root, state);
    const { commit } = await merge(services, '1\n');
    await undoCommit(services, commit, AT);
    const before = head();
    appendFileSync(join(project.root, 'a.js'), 'mine\n');
    expect(await redoCommit(services, commit, AT)).toMatchObject({ kind: 'conflict', paths: ['a.js'] });
    expect([head(), readFileSync(join(project.root, 'a.js'), 'utf8')]).toEqual([before, '0\nmine\n']);
  });

  it('are settled after a crash in the middle of an undo', async () => {
    const services = mergeWorld(project.root, state);
    const { commit, operation } = await merge(services, '1\n');
    const crashing = {
      ...services,
      target: {
        ...services.target,
        apply: (id: string, step: Parameters<typeof services.target.apply>[1]) => {
          if (step.kind === 'unlock') throw new Error('killed');
          return services.target.apply(id, step);
        },
        revert: () => Promise.reject(new Error('killed')),
      },
      log: {
        ...services.log,
        markStep: (id: string, n: number) => {
          if (n < 99) services.log.markStep(id, Math.min(n, 8));
        },
      },
    };
    expect(await undoCommit(crashing, commit, AT)).toMatchObject({ kind: 'pending' });
    const [recovered] = await recoverMerges(services);
    if (recovered === undefined) throw new Error('nothing to recover');
    expect(recovered).toMatchObject({ plan: { undoes: operation, commit }, outcome: { kind: 'merged' } });
    await settleUndo(services, recovered.operation, operation);
    expect(backups()).toEqual([]);
    expect(await undoCommit(services, commit, AT)).toBeNull();
    expect(existsSync(join(project.root, '.git/index.lock'))).toBe(false);
  });

  const commitsOf = (services: ReturnType<typeof mergeWorld>) =>
    new RepositoryCommits({ ...services, clock: { nowMs: () => 1_700_000_200_000 } } as unknown as CommitsServices);

  it('wait for each other, whichever sessions they are of', async () => {
    const services = mergeWorld(project.root, state);
    const before = head();
    const [first, second] = [await merge(services, '1\n'), await merge(services, '2\n')];
    const commits = commitsOf(services);
    const moves = [commits.undo(second.commit), commits.undo(first.commit), commits.redo(first.commit)];
    expect(await Promise.all(moves)).toEqual([{ kind: 'undone' }, { kind: 'undone' }, { kind: 'redone' }]);
    expect(head()).toBe(first.commit);
    expect(await commits.undo(first.commit)).toEqual({ kind: 'undone' });
    expect([head(), project.git('status', '--porcelain')]).toEqual([before, '']);
  });

  it('are taken for what the log says where a session was cut off before its record', async () => {
    const services = mergeWorld(project.root, state);
    const { commit } = await merge(services, '1\n');
    const commits = commitsOf(services);
    for (let times = 0; times < 2; times += 1) expect(await commits.undo(commit)).toEqual({ kind: 'undone' });
    for (let times = 0; times < 2; times += 1) expect(await commits.redo(commit)).toEqual({ kind: 'redone' });
    expect(head()).toBe(commit);
  });

  it.each<[string, 'undone' | 'done', string]>([
    ['only its backups could not be dropped', 'undone', 'merged'],
    ['its end could not be written', 'done', 'pending'],
  ])('are not said to be as before where %s', async (_, refused, told) => {
    const services = mergeWorld(project.root, state);
    const before = head();
    const { commit } = await merge(services, '1\n');
    const finish = (id: string, as: 'done' | 'undone') => {
      if (as === refused) throw new Error('no space left');
      services.log.finish(id, as);
    };
    const full = { ...services, log: { ...services.log, finish } };
    expect(await undoCommit(full, commit, AT)).toMatchObject({ kind: told });
    expect(head()).toBe(before);
    expect((await recoverMerges(services)).map(({ outcome }) => outcome.kind)).toEqual(
      told === 'pending' ? ['merged'] : [],
    );
  });
});
