import { lstat, mkdir, mkdtemp, readFile, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deletePath, movePath } from '../../../tool-plugins/fs-tool/workspace-tools.ts';

let root: string;
let workspace: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'fs-tool-'));
  workspace = join(root, 'project');
  await mkdir(join(workspace, 'src/deep'), { recursive: true });
  await mkdir(join(root, 'outside'));
  await writeFile(join(root, 'outside/secret'), 'secret');
  await writeFile(join(workspace, 'src/a.js'), 'a');
  await writeFile(join(workspace, 'src/deep/b.js'), 'b');
  await symlink('a.js', join(workspace, 'src/link.js'));
  await symlink('../outside', join(workspace, 'way-out'));
  await symlink('src', join(workspace, 'way-in'));
});
afterEach(() => rm(root, { recursive: true }));

/** Everything in the workspace; links are not followed. */
async function tree(): Promise<string[]> {
  const entries = await readdir(workspace, { recursive: true, withFileTypes: true });
  return entries.map((entry) => relative(workspace, join(entry.parentPath, entry.name))).sort();
}

describe('deleting', () => {
  test('a file', async () => {
    expect(await deletePath(workspace, 'src/a.js')).toEqual({ entries: 1 });
    expect(await tree()).not.toContain('src/a.js');
  });

  test('a directory with everything in it', async () => {
    expect(await deletePath(workspace, 'src')).toEqual({ entries: 3 });
    expect(await tree()).toEqual(['way-in', 'way-out']);
  });

  test('a link, never what it points at', async () => {
    await deletePath(workspace, 'way-out');
    expect(await readFile(join(root, 'outside/secret'), 'utf8')).toBe('secret');
    expect(await tree()).not.toContain('way-out');
  });

  test('through a link that stays inside', async () => {
    await deletePath(workspace, 'way-in/a.js');
    expect(await tree()).not.toContain('src/a.js');
  });

  test.each([
    ['through a link that leaves', 'way-out/secret', 'path_refused'],
    ['upwards', '../outside/secret', 'path_refused'],
    ['upwards after a step down', 'src/../../outside/secret', 'path_refused'],
    ['an absolute path', '/etc/passwd', 'path_refused'],
    ['a NUL byte', 'src/a.js\0', 'path_refused'],
    ['the project itself', '.', 'path_refused'],
    ['the project itself, by a detour', 'src/..', 'path_refused'],
    ['what is not there', 'src/none.js', 'not_found'],
    ['below a file', 'src/a.js/x', 'not_found'],
  ])('is refused: %s', async (_name, path, code) => {
    const before = await tree();
    await expect(deletePath(workspace, path)).rejects.toMatchObject({ code });
    expect(await tree()).toEqual(before);
    expect(await readFile(join(root, 'outside/secret'), 'utf8')).toBe('secret');
  });

  test('links that go round in circles', async () => {
    await symlink('round', join(workspace, 'round'));
    await expect(deletePath(workspace, 'round/x')).rejects.toMatchObject({ code: 'path_refused' });
  });
});

describe('moving', () => {
  test('a file into a directory that is yet to be made', async () => {
    expect(await movePath(workspace, 'src/a.js', 'lib/new/a.js')).toEqual({ entries: 1 });
    expect(await readFile(join(workspace, 'lib/new/a.js'), 'utf8')).toBe('a');
    expect(await tree()).not.toContain('src/a.js');
  });

  test('a directory', async () => {
    await movePath(workspace, 'src/deep', 'deeper');
    expect(await readFile(join(workspace, 'deeper/b.js'), 'utf8')).toBe('b');
  });

  test('a link as it is', async () => {
    await movePath(workspace, 'src/link.js', 'link.js');
    expect(await readlink(join(workspace, 'link.js'))).toBe('a.js');
    expect((await lstat(join(workspace, 'src/a.js'))).isFile()).toBe(true);
  });

  test.each([
    ['onto something', 'src/a.js', 'src/deep/b.js', 'conflict'],
    ['onto a link', 'src/a.js', 'src/link.js', 'conflict'],
    ['a directory into itself', 'src', 'src/deep/src', 'invalid_input'],
    ['out of the project', 'src/a.js', '../a.js', 'path_refused'],
    ['out by a link', 'src/a.js', 'way-out/a.js', 'path_refused'],
    ['in from outside', 'way-out/secret', 'secret', 'path_refused'],
    ['what is not there', 'none', 'some', 'not_found'],
  ])('is refused: %s', async (_name, from, to, code) => {
    const before = await tree();
    await expect(movePath(workspace, from, to)).rejects.toMatchObject({ code });
    expect(await tree()).toEqual(before);
    expect(await readdir(join(root, 'outside'))).toEqual(['secret']);
  });

  test('is refused for a link that would come to lead out, however deep', async () => {
    await symlink('../../way-out', join(workspace, 'src/deep/up'));
    await movePath(workspace, 'src/deep', 'src/deeper');
    await expect(movePath(workspace, 'src/deeper', 'deeper')).rejects.toMatchObject({ code: 'path_refused' });
    expect(await tree()).toContain('src/deeper/up');
  });
});
