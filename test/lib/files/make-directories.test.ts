import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeDirectories } from '../../../src/lib/files/make-directories.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'fluffy-directories-'));
});
afterEach(() => rm(root, { recursive: true }));

describe('makeDirectories', () => {
  test('makes what is missing with its mode, and says which was the first', async () => {
    expect(await makeDirectories(join(root, 'a/b/c'), 0o700)).toBe(join(root, 'a'));
    for (const path of ['a', 'a/b', 'a/b/c']) expect((await stat(join(root, path))).mode & 0o777).toBe(0o700);
    expect(await makeDirectories(join(root, 'a/b/c'), 0o755)).toBeUndefined();
    expect(await makeDirectories(join(root, 'a/b/d'), 0o755)).toBe(join(root, 'a/b/d'));
  });

  test('of two at once both succeed', async () => {
    const made = await Promise.all([1, 2, 3, 4].map(() => makeDirectories(join(root, 'x/y/z'), 0o700)));
    expect(made.filter((path) => path === join(root, 'x'))).toHaveLength(1);
  });

  test.each(['file', 'file/below'])('refuses %s, where a file is in the way', async (path) => {
    await writeFile(join(root, 'file'), '');
    await expect(makeDirectories(join(root, path), 0o700)).rejects.toMatchObject({
      code: expect.stringMatching(/^(EEXIST|ENOTDIR)$/) as string,
    });
  });

  test('ends where nothing can be made', async () => {
    await expect(makeDirectories('/proc/nope/below', 0o700)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
