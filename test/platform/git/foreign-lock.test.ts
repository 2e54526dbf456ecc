import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ordinaryGitDirectories } from '../../../src/lib/git/git-directories.ts';
import { openRepository } from '../../../src/platform/git/repository.ts';
import { makeRepository, type RealRepository } from '../../support/real-git.ts';

let made: RealRepository;
let pauses: number;
const lock = (name: string): string => join(made.root, '.git', `${name}.lock`);

beforeEach(() => {
  made = makeRepository();
  made.write('a', 'one\n');
  made.write('b/c', 'two\n');
  made.commit('First');
  pauses = 0;
});
afterEach(() => made.remove());

async function problemOf(pause: () => unknown = () => undefined) {
  const repository = openRepository(ordinaryGitDirectories(made.root), () => {
    pauses += 1;
    pause();
    return Promise.resolve();
  });
  const state = await repository.state().finally(() => repository.close());
  return state.kind === 'problem' ? state.problem : null;
}

test.each(['index', 'HEAD', 'refs/heads/main'])(
  'a lock of %s that stays is a problem before any work is done',
  async (name) => {
    writeFileSync(lock(name), '');
    expect(await problemOf()).toEqual({ kind: 'locked', path: lock(name) });
    expect(pauses).toBeGreaterThan(10);
  },
);

test('a lock that goes is waited for', async () => {
  writeFileSync(lock('index'), '');
  expect(await problemOf(() => pauses === 3 && rmSync(lock('index')))).toBeNull();
  expect(pauses).toBe(3);
});

test('the lock of an interrupted merge of ours keeps nobody from the start that gives it back', async () => {
  writeFileSync(join(made.root, '.git/ours'), '');
  linkSync(join(made.root, '.git/ours'), lock('index'));
  expect(await problemOf()).toBeNull();
  expect(pauses).toBe(0);
});

test('an index that a merge cannot write is a problem before any work is done', async () => {
  made.git('update-index', '--split-index');
  expect(await problemOf()).toEqual({ kind: 'index-unsupported', what: 'split index' });
  made.git('update-index', '--no-split-index');
  expect(await problemOf()).toBeNull();
});

test('so is a sparse index', async () => {
  made.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'x');
  expect(await problemOf()).toEqual({ kind: 'index-unsupported', what: 'sparse index' });
  made.git('sparse-checkout', 'reapply', '--no-sparse-index');
  expect(await problemOf()).toBeNull();
});
