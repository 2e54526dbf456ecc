import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { MergePlan } from '../../../../src/contracts/review/merge-plan.ts';
import { ordinaryGitDirectories } from '../../../../src/lib/git/git-directories.ts';
import { openMergeTarget } from '../../../../src/platform/git/merge/merge-target.ts';
import { lstatAt, PathBlocked, withEntry, withNewEntry } from '../../../../src/platform/git/merge/project-entry.ts';
import { makeState } from '../../../support/merge-fixture.ts';

let state: ReturnType<typeof makeState>;
beforeEach(() => {
  state = makeState();
  mkdirSync(join(state.path, 'directory'));
  writeFileSync(join(state.path, 'directory/file'), 'x');
  symlinkSync('directory', join(state.path, 'link'));
});
afterEach(() => state.remove());

it('is found below directories alone', () => {
  expect(lstatAt(state.path, 'directory/file')).not.toBeNull();
  expect(lstatAt(state.path, 'nowhere/file')).toBeNull();
});

it.each([
  ['a link', 'link/file'],
  ['a file', 'directory/file/x'],
])('is blocked by %s where a directory should be', (_name, path) => {
  expect(() => withEntry(state.path, path, () => 'reached')).toThrow(PathBlocked);
  expect(lstatAt(state.path, path)).toBeNull();
});

it.each(['', '/x', 'x/', 'directory//file', './x', 'directory/../x', '..', 'x/.'])(
  '%j is no normalised path',
  (path) => {
    expect(() => withEntry(state.path, path, () => 'reached')).toThrow('not a normalised path');
  },
);

it('is not made where its directory is missing', () => {
  expect(() => withNewEntry(state.path, 'nowhere/file', () => 'made')).toThrow(PathBlocked);
  expect(withNewEntry(state.path, 'directory/new', () => 'made')).toBe('made');
});

it('a merge that fails for another reason than a blocked path is no conflict', async () => {
  const target = openMergeTarget({
    root: join(state.path, 'nowhere'),
    git: ordinaryGitDirectories(join(state.path, 'nowhere')),
    state: state.path,
    owner: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
    umask: 0o022,
  });
  const operation = { id: 'o_1', plan: {} as MergePlan } as unknown as Parameters<typeof target.apply>[0];
  await expect(
    target.apply(operation, { kind: 'backup' } as unknown as Parameters<typeof target.apply>[1]),
  ).rejects.toThrow();
});
