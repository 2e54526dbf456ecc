import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readPrivateFile, writePrivateFile } from '../../../src/host/secrets/private-file.ts';

let home: string;
let path: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'fluffy-private-'));
  path = join(home, 'keys', 'one.key');
});
afterEach(() => rm(home, { recursive: true }));

test('a file that is not there, or whose directory is not, is null', async () => {
  expect(await readPrivateFile(path, 'make a new one')).toBeNull();
  await mkdir(join(home, 'keys'));
  expect(await readPrivateFile(path, 'make a new one')).toBeNull();
});

test('what is written is read, by its owner alone', async () => {
  expect(await writePrivateFile(path, 'one', { ifAbsent: false })).toBe(true);
  expect(await readPrivateFile(path, 'make a new one')).toBe('one');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('a file that is there stays as it is where only a missing one is to be made', async () => {
  await writePrivateFile(path, 'one', { ifAbsent: true });
  expect(await writePrivateFile(path, 'two', { ifAbsent: true })).toBe(false);
  expect(await readFile(path, 'utf8')).toBe('one');
  expect(await writePrivateFile(path, 'two', { ifAbsent: false })).toBe(true);
  expect(await readFile(path, 'utf8')).toBe('two');
});

describe('is refused', () => {
  test.each<readonly [string, () => Promise<unknown>, string]>([
    ['a file that others may read', () => chmod(path, 0o640), 'its permissions are 0640, open to other users'],
    [
      'a directory that others may write to',
      () => chmod(join(home, 'keys'), 0o777),
      'its permissions are 0777, open to other users',
    ],
    ['a file that is a link', () => rm(path).then(() => symlink('/etc/hostname', path)), 'it is a symbolic link'],
    ['a directory in its place', () => rm(path).then(() => mkdir(path)), 'it is not a regular file'],
    ['a file much longer than a key', () => truncate(path, 9_000), 'it is far longer than a key'],
    [
      'a file where its directory should be',
      () => rm(join(home, 'keys'), { recursive: true }).then(() => writeFile(join(home, 'keys'), '')),
      'it is not a directory',
    ],
  ])('%s', async (_what, change, why) => {
    await writePrivateFile(path, 'one', { ifAbsent: true });
    await change();
    await expect(readPrivateFile(path, 'make a new one')).rejects.toMatchObject({
      code: 'key_file_unsafe',
      why,
      exitCode: 2,
    });
  });
});
