import { execFileSync } from 'node:child_process';
import { appendFile, lstat, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashEntries } from '../../../../src/host/images/rootfs/entries-hash.ts';
import { type RootfsEntry, sortEntries, textFile } from '../../../../src/host/images/rootfs/rootfs-entry.ts';
import { tarStream } from '../../../../src/host/images/rootfs/tar-stream.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fluffy-tar-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function bytesOf(entries: readonly RootfsEntry[]): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of tarStream(entries)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function extract(entries: readonly RootfsEntry[]): Promise<string> {
  const target = join(directory, 'out');
  await mkdir(target);
  execFileSync('tar', ['-xpf', '-', '-C', target], { input: await bytesOf(entries) });
  return target;
}

test('tar gets back what was put in, long and unusual names included', async () => {
  const long = `${'directory-with-a-long-name/'.repeat(8)}file`;
  const unusual = 'ä ö/-x\n"';
  await writeFile(join(directory, 'source'), 'x'.repeat(1_500_000));
  const parents = [...long.split('/').slice(0, -1).keys()].map((depth) => ({
    kind: 'directory' as const,
    path: long
      .split('/')
      .slice(0, depth + 1)
      .join('/'),
    mode: 0o755,
  }));
  const out = await extract([
    ...parents,
    textFile(long, 'deep', 0o600),
    { kind: 'directory', path: 'ä ö', mode: 0o700 },
    textFile(unusual, ''),
    { kind: 'symlink', path: 'link', target: long },
    { kind: 'file', path: 'big', mode: 0o755, content: { kind: 'disk', path: join(directory, 'source') } },
    { ...textFile('dated', ''), mtimeSeconds: 1_000_000_000 } as RootfsEntry,
  ]);
  expect(await readFile(join(out, long), 'utf8')).toBe('deep');
  expect(await readFile(join(out, unusual), 'utf8')).toBe('');
  expect(await readlink(join(out, 'link'))).toBe(long);
  expect(await readFile(join(out, 'big'), 'utf8')).toBe('x'.repeat(1_500_000));
  expect((await lstat(join(out, 'big'))).mode & 0o777).toBe(0o755);
  expect((await lstat(join(out, long))).mode & 0o777).toBe(0o600);
  expect((await lstat(join(out, 'dated'))).mtimeMs).toBe(1_000_000_000_000);
});

test.each([99, 100, 101, 150, 990, 1000])('a path of %i bytes survives', async (length) => {
  const path = Array.from({ length: Math.ceil(length / 90) }, () => 'n'.repeat(89))
    .join('/')
    .slice(0, length)
    .replace(/\/$/, 'n');
  const listed = execFileSync('tar', ['-tf', '-'], { input: await bytesOf([textFile(path, '')]), encoding: 'utf8' });
  expect(listed).toBe(`${path}\n`);
});

test('equal entries give equal bytes, whatever the files on disk say of their time', async () => {
  const path = join(directory, 'source');
  const entries: RootfsEntry[] = [{ kind: 'file', path: 'f', mode: 0o644, content: { kind: 'disk', path } }];
  await writeFile(path, 'same');
  const first = await bytesOf(entries);
  const hash = await hashEntries(entries);
  await rm(path);
  await writeFile(path, 'same');
  expect((await bytesOf(entries)).equals(first)).toBe(true);
  expect(await hashEntries(entries)).toBe(hash);
});

const base: RootfsEntry[] = [textFile('a', 'content'), { kind: 'symlink', path: 'b', target: 'a' }];
test.each<[string, RootfsEntry[]]>([
  ['content', [textFile('a', 'Content'), ...base.slice(1)]],
  ['mode', [textFile('a', 'content', 0o600), ...base.slice(1)]],
  ['path', [textFile('c', 'content'), ...base.slice(1)]],
  ['target', [...base.slice(0, 1), { kind: 'symlink', path: 'b', target: 'c' }]],
  ['kind', [...base.slice(0, 1), textFile('b', 'a')]],
  ['a missing entry', base.slice(1)],
])('a difference in %s changes the hash', async (_name, entries) => {
  expect(await hashEntries(entries)).not.toBe(await hashEntries(base));
});

test('a file that grows while it is read is an error, never a shifted archive', async () => {
  const path = join(directory, 'growing');
  await writeFile(path, 'x'.repeat(3_000_000));
  const archive = tarStream([{ kind: 'file', path: 'f', mode: 0o644, content: { kind: 'disk', path } }]);
  await archive.next();
  await appendFile(path, 'more');
  await expect(async () => {
    for await (const chunk of archive) void chunk;
  }).rejects.toThrow('f changed while it was being copied');
});

test('a directory comes before what is in it', () => {
  const paths = sortEntries([textFile('a/b', ''), textFile('a-', ''), { kind: 'directory', path: 'a', mode: 0o755 }]);
  expect(paths.map(({ path }) => path)).toEqual(['a', 'a-', 'a/b']);
});
