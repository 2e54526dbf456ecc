import { chmod, lstat, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ownDirectory } from '../../../src/cli/supervisor/owned-directory.ts';

const me = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
let root: string;
beforeEach(async () => {
  root = await mkdtemp('/tmp/fluffy-own-');
});
afterEach(() => rm(root, { recursive: true, force: true }));

test('several at once make one directory of mode 0700, and leave no drafts', async () => {
  await Promise.all(Array.from({ length: 8 }, () => ownDirectory(join(root, 'a'), me)));
  expect((await lstat(join(root, 'a'))).mode & 0o777).toBe(0o700);
  expect(await readdir(root)).toEqual(['a']);
});

test('what is in it already stays', async () => {
  await ownDirectory(join(root, 'a'), me);
  await writeFile(join(root, 'a/file'), '');
  await ownDirectory(join(root, 'a'), me);
  expect(await readdir(join(root, 'a'))).toEqual(['file']);
});

test.runIf(me.uid === 0)('root makes it for somebody else', async () => {
  await Promise.all(Array.from({ length: 8 }, () => ownDirectory(join(root, 'a'), { uid: 1000, gid: 1001 })));
  expect(await lstat(join(root, 'a'))).toMatchObject({ uid: 1000, gid: 1001 });
  await expect(ownDirectory(join(root, 'a'), me)).rejects.toMatchObject({ code: 'directory_unsafe' });
});

describe('is refused, and left as it is', () => {
  test.each<[string, (path: string) => Promise<unknown>]>([
    ['a link', (path) => symlink(root, path)],
    ['a dangling link', (path) => symlink(join(root, 'none'), path)],
    ['a file', (path) => writeFile(path, '', { mode: 0o600 })],
    [
      'a directory that others may use',
      async (path) => {
        await mkdir(path);
        await chmod(path, 0o701);
      },
    ],
  ])('%s', async (_name, make) => {
    const path = join(root, 'a');
    await make(path);
    const before = await lstat(path);
    await expect(ownDirectory(path, me)).rejects.toMatchObject({ code: 'directory_unsafe', exitCode: 2 });
    expect((await lstat(path)).mode).toBe(before.mode);
    expect(await readdir(root)).toEqual(['a']);
  });
});
