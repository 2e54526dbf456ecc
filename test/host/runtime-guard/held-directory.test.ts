import { mkdtemp, mkdir, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openAbsolute, openBelow } from '../../../src/host/runtime-guard/held-directory.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp('/tmp/fluffy-guard-unit-');
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('a held directory', () => {
  const heldFrom = async (path: string) => {
    const outcome = await openAbsolute(path);
    if (outcome.kind !== 'held') throw new Error(outcome.kind);
    return outcome.directory;
  };

  test('stays the one that was opened when its name is given to another', async () => {
    await mkdir(join(root, 'a'));
    await writeFile(join(root, 'a/mark'), 'first');
    const directory = await heldFrom(join(root, 'a'));
    await rename(join(root, 'a'), join(root, 'b'));
    await symlink('/etc', join(root, 'a'));
    expect(await readFile(join(directory.path, 'mark'), 'utf8')).toBe('first');
    await directory.close();
  });

  test('needs no permission to read on the way', async () => {
    await mkdir(join(root, 'closed'), { mode: 0o700 });
    await mkdir(join(root, 'closed/open'));
    const directory = await heldFrom(join(root, 'closed'));
    const below = await openBelow(directory, ['open']);
    expect(below.kind).toBe('held');
    if (below.kind === 'held') await below.directory.close();
    await directory.close();
  });

  test.each([
    ['a link as the last component', ['link'], 'refused'],
    ['a link on the way', ['link', 'inside'], 'refused'],
    ['a link to a directory below', ['inner'], 'refused'],
    ['a file', ['file'], 'refused'],
    ['nothing', ['none'], 'missing'],
    ['the parent', ['..'], 'refused'],
    ['the directory itself', ['.'], 'refused'],
    ['an empty name', [''], 'refused'],
    ['several in one', ['real/inside'], 'refused'],
    ['a NUL', ['real\0'], 'refused'],
    ['a directory', ['real'], 'held'],
    ['a directory below it', ['real', 'inside'], 'held'],
  ])('%s', async (_name, components, kind) => {
    await mkdir(join(root, 'real/inside'), { recursive: true });
    await symlink('/etc', join(root, 'link'));
    await symlink('real/inside', join(root, 'inner'));
    await writeFile(join(root, 'file'), '');
    const directory = await heldFrom(root);
    const outcome = await openBelow(directory, components);
    expect(outcome.kind).toBe(kind);
    if (outcome.kind === 'held') await outcome.directory.close();
    await directory.close();
  });

  test('is refused for an absolute path with a link in it', async () => {
    await mkdir(join(root, 'real'));
    await symlink(join(root, 'real'), join(root, 'link'));
    expect((await openAbsolute(join(root, 'link'))).kind).toBe('refused');
    expect((await openAbsolute('relative')).kind).toBe('refused');
  });

  test('leaves no descriptor open, on any outcome', async () => {
    const before = (await readdir('/proc/self/fd')).length;
    for (let i = 0; i < 20; i++) {
      await openAbsolute(join(root, 'missing'));
      await openAbsolute('/etc/passwd');
      const outcome = await openAbsolute(root);
      if (outcome.kind === 'held') await outcome.directory.close();
    }
    expect((await readdir('/proc/self/fd')).length).toBeLessThanOrEqual(before + 1);
  });
});
