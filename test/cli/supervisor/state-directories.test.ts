import { lstat, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectDirs, userDirs, type ProjectDirs } from '../../../src/contracts/host-layout.ts';
import { makeStateDirectories, realPathOf } from '../../../src/cli/supervisor/state-directories.ts';

const me = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
let root: string;
beforeEach(async () => {
  root = await mkdtemp('/tmp/fluffy-state-dirs-');
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** The state of the project `name`, and its inodes once it is made. */
function project(name: string): { dirs: ProjectDirs; inodes: () => Promise<number[]> } {
  const dirs = projectDirs(userDirs({ XDG_STATE_HOME: root }), join(root, 'work', name), name);
  const inodes = async (): Promise<number[]> =>
    Promise.all([dirname(dirs.host), dirs.host, dirs.kernel].map(async (path) => (await lstat(path)).ino));
  return { dirs, inodes };
}

test('one made by several at once is the same directory for each of them', async () => {
  for (let round = 0; round < 30; round++) {
    const { dirs, inodes } = project(`p${round}`);
    const seen = await Promise.all(
      Array.from({ length: 8 }, async () => {
        await makeStateDirectories(dirs, me);
        return inodes();
      }),
    );
    expect(new Set(seen.map(String)).size, `round ${round}`).toBe(1);
  }
  expect((await readdir(join(root, 'fluffy/projects'))).every((name) => /^p\d+$/.test(name))).toBe(true);
});

test('what a process that ended half-way has made is completed', async () => {
  const { dirs } = project('half');
  await mkdir(join(root, 'fluffy/projects/half/host'), { recursive: true, mode: 0o700 });
  await makeStateDirectories(dirs, me);
  expect(await readdir(join(root, 'fluffy/projects/half'))).toEqual(['host', 'kernel']);
});

test.runIf(me.uid === 0)('the kernel’s belongs to the owner of the project, the rest to the invoker', async () => {
  const { dirs } = project('other');
  await makeStateDirectories(dirs, { uid: 1000, gid: 1001 });
  expect(await lstat(dirs.kernel)).toMatchObject({ uid: 1000, gid: 1001 });
  expect(await lstat(dirs.host)).toMatchObject({ uid: 0 });
});

test.each([
  ['a directory that is there', 'there', 'there'],
  ['a directory behind a link', 'link', 'there'],
  ['a directory to be made behind a link', 'link/a/b', 'there/a/b'],
])('the real path of %s is known', async (_what, path, real) => {
  await mkdir(join(root, 'there'));
  await symlink('there', join(root, 'link'));
  expect(await realPathOf(join(root, path))).toBe(join(root, real));
});
