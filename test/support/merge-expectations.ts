import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect } from 'vitest';
import { busyRepository, EVERY_CHANGE } from './busy-repository.ts';
import { makeState } from './merge-fixture.ts';
import { copyRepository } from './real-git.ts';
import type { RealRepository } from './real-git.ts';
import { snapshotTree } from './snapshot-tree.ts';

/** Called once at the top of a test file: makes busy repositories with a state directory each, and removes them after each test. */
export function busyRepositories(): () => { made: RealRepository; state: string; remove(): void } {
  const template = busyRepository();
  afterAll(() => template.remove());
  const cleanups: (() => void)[] = [];
  const removeAll = (): void => {
    for (const cleanup of cleanups.splice(0)) cleanup();
  };
  afterEach(removeAll);
  return () => {
    const made = copyRepository(template);
    const state = makeState();
    cleanups.push(made.remove, state.remove);
    return { made, state: state.path, remove: removeAll };
  };
}

/** What a merge leaves alone, however it ends: everything but the session's paths and git's own files. */
export function othersWork(made: RealRepository): Record<string, string> {
  const own = new Set(Object.keys(EVERY_CHANGE).flatMap((path) => [path, ...parentsOf(path)]));
  own.delete('mine');
  return Object.fromEntries(
    Object.entries(snapshotTree(made.root)).filter(
      ([path]) => !own.has(path) && path !== '.git' && !path.startsWith('.git/'),
    ),
  );
}

export function parentsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, n) => parts.slice(0, n + 1).join('/'));
}

export function status(made: RealRepository): string {
  return made.git('--no-optional-locks', 'status', '--porcelain=v1', '--untracked-files=all', '--no-renames');
}

export function expectMerged(made: RealRepository, commit: string, statusBefore: string): void {
  expect(made.git('rev-parse', 'refs/heads/main').trim()).toBe(commit);
  expect(status(made)).toBe(statusBefore);
  made.git('fsck', '--strict', '--full', '--no-dangling');
  expect(readdirSync(join(made.root, '.git')).filter((name) => /fluffy|lock/.test(name))).toEqual([]);
  expect(
    Object.keys(snapshotTree(made.root)).filter((name) => name.includes('.fluffy-') || name.includes('tmp_obj')),
  ).toEqual([]);
  expect(made.git('diff', '--stat', 'HEAD', '--', ...Object.keys(EVERY_CHANGE))).toBe('');
}
