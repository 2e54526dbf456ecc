import { chmod, link, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type HostTree, createHostTree } from '../../../../src/host/images/rootfs/host-tree.ts';

let host = '';
beforeEach(async () => {
  host = await mkdtemp(join(tmpdir(), 'fluffy-tree-'));
  await mkdir(join(host, 'usr/bin'), { recursive: true });
  await symlink('usr/bin', join(host, 'bin'));
  await writeFile(join(host, 'usr/bin/mawk'), 'awk');
  await mkdir(join(host, 'etc/alternatives'), { recursive: true });
  await symlink(join(host, 'usr/bin/mawk'), join(host, 'etc/alternatives/awk'));
  await symlink(join(host, 'etc/alternatives/awk'), join(host, 'usr/bin/awk'));
});
afterEach(() => rm(host, { recursive: true, force: true }));

/** Paths below the pretended host, with what they are. */
function summary(tree: HostTree): string[] {
  const prefix = `${host.slice(1)}/`;
  return tree
    .entries()
    .filter(({ path, kind }) => path.startsWith(prefix) && kind !== 'directory')
    .map(
      (entry) =>
        `${entry.path.slice(prefix.length)}${entry.kind === 'symlink' ? ` -> ${entry.target.replace(host, '')}` : ''}`,
    );
}

test('a file comes with every link on the way to it', async () => {
  const tree = createHostTree();
  expect(await tree.addFile(join(host, 'bin/awk'))).toBe(join(host, 'usr/bin/mawk'));
  expect(summary(tree)).toEqual([
    'bin -> usr/bin',
    'etc/alternatives/awk -> /usr/bin/mawk',
    'usr/bin/awk -> /etc/alternatives/awk',
    'usr/bin/mawk',
  ]);
});

test('every entry has its parent directories before it', async () => {
  const tree = createHostTree();
  await tree.addFile(join(host, 'bin/awk'));
  const seen = new Set(['']);
  for (const { path } of tree.entries()) {
    expect(seen).toContain(path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '');
    seen.add(path);
  }
});

test.each([
  ['a missing file', 'usr/bin/none'],
  ['a directory', 'usr'],
  ['a loop of links', 'loop'],
  ['a dangling link', 'dangling'],
])('%s is not added as a file', async (_name, path) => {
  await symlink('loop', join(host, 'loop'));
  await symlink('nowhere', join(host, 'dangling'));
  expect(await createHostTree().addFile(join(host, path))).toBeUndefined();
});

test('set-user-id bits and write permission of others stay on the host', async () => {
  await chmod(join(host, 'usr/bin/mawk'), 0o6777);
  const tree = createHostTree();
  await tree.addFile(join(host, 'usr/bin/mawk'));
  expect(tree.entries().find(({ kind }) => kind === 'file')).toMatchObject({ mode: 0o755 });
});

test('further names of one file become links to it', async () => {
  await link(join(host, 'usr/bin/mawk'), join(host, 'usr/bin/twin'));
  const tree = createHostTree();
  await tree.addDirectory(join(host, 'usr/bin'), (path) => !path.endsWith('/awk'));
  expect(summary(tree)).toHaveLength(2);
  expect(summary(tree).filter((line) => line.includes(' -> '))).toHaveLength(1);
});

test('a directory comes without what the filter refuses', async () => {
  await mkdir(join(host, 'lib/keep/test'), { recursive: true });
  for (const name of ['keep/a.py', 'keep/test/b.py', 'c.py']) await writeFile(join(host, 'lib', name), '');
  const tree = createHostTree();
  await tree.addDirectory(join(host, 'lib'), (path) => !path.endsWith('/test'));
  expect(summary(tree)).toEqual(['lib/c.py', 'lib/keep/a.py']);
});

test.each([
  ['a missing directory', 'none'],
  ['a file', 'usr/bin/mawk'],
])('%s is not added as a directory', async (_name, path) => {
  const tree = createHostTree();
  await tree.addDirectory(join(host, path), () => true);
  expect(summary(tree)).toEqual([]);
});
