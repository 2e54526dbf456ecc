import { execFileSync } from 'node:child_process';
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sandboxIdSchema } from '../../../src/contracts/ids.ts';
import type { SandboxDirectories } from '../../../src/contracts/ports/sandbox-directories.ts';
import { createSandboxDirectories } from '../../../src/platform/sandbox-dirs/sandbox-directories.ts';

const sandbox = sandboxIdSchema.parse('x_12345678');
let root: string;
let directories: SandboxDirectories;
let out: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sandbox-dirs-'));
  directories = createSandboxDirectories({ stateDir: join(root, 'state'), runDir: join(root, 'run') });
  out = join(root, 'state/out', sandbox);
  await directories.createJob(sandbox, [{ name: 'job.json', content: '{}' }]);
});
/** As whoever runs the job does before it starts anything. */
const takeJob = () => rm(join(out, 'job.json'));
afterEach(() => rm(root, { recursive: true, force: true }));

describe('a sandbox’s directories', () => {
  test('are its own, for nobody else to read', async () => {
    const socket = await directories.createSocket(sandbox);
    expect(socket).toBe(join(root, 'run/sbx', sandbox, 'kernel.sock'));
    expect((await stat(join(root, 'run/sbx', sandbox))).mode & 0o777).toBe(0o700);
    expect((await stat(join(root, 'state/out', sandbox, 'job.json'))).mode & 0o777).toBe(0o400);
    expect((await stat(out)).mode & 0o777).toBe(0o700);
  });

  test('are never taken over from somebody else', async () => {
    await expect(directories.createJob(sandbox, [])).rejects.toMatchObject({ code: 'EEXIST' });
  });

  test.each(['../x', 'a/b', '', '.hidden', '-x', 'a\0', '..'])('hold plain names only, not %j', async (name) => {
    const other = sandboxIdSchema.parse('x_abcdefgh');
    await expect(directories.createJob(other, [{ name, content: '' }])).rejects.toThrow(/plain file name/);
    expect(() => directories.readReport(sandbox, name, 10)).toThrow(/plain file name/);
  });

  test('are found and removed, all or some of them, and twice', async () => {
    expect(await directories.list()).toEqual([sandbox]);
    await directories.remove(sandbox);
    await directories.remove(sandbox);
    expect(await directories.list()).toEqual([]);
  });
});

describe('a report', () => {
  test('is read', async () => {
    await writeFile(join(out, 'r.xml'), 'report');
    expect(await directories.readReport(sandbox, 'r.xml', 6)).toEqual({
      kind: 'read',
      bytes: Buffer.from('report'),
      truncated: false,
    });
  });

  test('is read no further than its bound, however large it claims to be', async () => {
    await writeFile(join(out, 'r.xml'), 'report');
    await truncate(join(out, 'r.xml'), 2 ** 40);
    const outcome = await directories.readReport(sandbox, 'r.xml', 6);
    expect(outcome).toEqual({ kind: 'read', bytes: Buffer.from('report'), truncated: true });
  });

  test('is missing', async () => {
    expect(await directories.readReport(sandbox, 'r.xml', 6)).toEqual({ kind: 'missing' });
  });

  test.each<[string, (path: string) => Promise<unknown>]>([
    ['a link', (path) => symlink(join(root, 'secret'), path)],
    ['a link into /proc', (path) => symlink('/proc/self/environ', path)],
    ['a directory', (path) => mkdir(path)],
    ['a pipe', async (path) => execFileSync('mkfifo', [path])],
  ])('is not %s', async (_name, make) => {
    await writeFile(join(root, 'secret'), 'secret');
    await make(join(out, 'r.xml'));
    expect(await directories.readReport(sandbox, 'r.xml', 100)).toEqual({ kind: 'not-a-file' });
  });
});

describe('what a sandbox left behind is removed', () => {
  test('directories without permissions, with files in them', async () => {
    await mkdir(join(out, 'a/b'), { recursive: true });
    await writeFile(join(out, 'a/b/c'), '');
    await chmod(join(out, 'a/b'), 0);
    await chmod(join(out, 'a'), 0);
    await chmod(out, 0);
    await directories.remove(sandbox);
    expect(await readdir(join(root, 'state/out'))).toEqual([]);
  });

  test('a tree deeper than any path', async () => {
    execFileSync('python3', [
      '-c',
      'import os,sys\nos.chdir(sys.argv[1])\nfor i in range(3000):\n os.mkdir("deep"*10); os.chdir("deep"*10)',
      out,
    ]);
    await directories.remove(sandbox);
    expect(await readdir(join(root, 'state/out'))).toEqual([]);
  });

  test('names that are no text', async () => {
    await writeFile(Buffer.concat([Buffer.from(`${out}/`), Buffer.from([0xff, 0xfe, 0x0a])]), '');
    await mkdir(Buffer.concat([Buffer.from(`${out}/`), Buffer.from([0xff])]));
    await directories.remove(sandbox);
    expect(await readdir(join(root, 'state/out'))).toEqual([]);
  });

  test('links, but not what they point at', async () => {
    const kept = join(root, 'kept');
    await mkdir(kept);
    await writeFile(join(kept, 'file'), 'kept');
    await chmod(kept, 0o755);
    await symlink(kept, join(out, 'link'));
    await link(join(kept, 'file'), join(out, 'hard'));
    await directories.remove(sandbox);
    expect(await readFile(join(kept, 'file'), 'utf8')).toBe('kept');
    expect((await stat(kept)).mode & 0o777).toBe(0o755);
  });

  test('an out directory that was replaced by a link: the link alone goes', async () => {
    const kept = join(root, 'kept');
    await mkdir(kept);
    await writeFile(join(kept, 'file'), 'kept');
    await rm(out, { recursive: true });
    await symlink(kept, out);
    await directories.remove(sandbox).catch(() => undefined);
    expect(await readFile(join(kept, 'file'), 'utf8')).toBe('kept');
  });
});

describe('what a sandbox writes while it runs is bounded', () => {
  const bounds = { maxBytes: 1024 * 1024, maxEntries: 10 };

  test('in bytes on disk', async () => {
    await writeFile(join(out, 'sparse'), '');
    await truncate(join(out, 'sparse'), 2 ** 40);
    expect(await directories.outUsage(sandbox, bounds)).toBe('within');
    await writeFile(join(out, 'full'), Buffer.alloc(2 * 1024 * 1024, 1));
    expect(await directories.outUsage(sandbox, bounds)).toBe('exceeded');
  });

  test('in entries, however deep', async () => {
    await takeJob();
    await mkdir(join(out, 'a/b/c/d/e/f/g/h/i/j'), { recursive: true });
    expect(await directories.outUsage(sandbox, bounds)).toBe('within');
    await mkdir(join(out, 'k'));
    expect(await directories.outUsage(sandbox, bounds)).toBe('exceeded');
  });
});
