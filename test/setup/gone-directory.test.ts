import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';

const launcher = resolve(import.meta.dirname, '../../bin/launch.cjs');

it('says that the working directory is gone', async () => {
  const gone = mkdtempSync(join(tmpdir(), 'fluffy-gone-'));
  const script = 'cd "$1" && rmdir "$1" && exec "$2" "$3" session list';
  const { exitCode, stderr } = await execa('sh', ['-c', script, 'sh', gone, process.execPath, launcher], {
    reject: false,
  });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('The working directory is gone\n  why: ');
  expect(stderr).not.toMatch(/^ +at /m);
});

it('names a Node that is too old, also where the checkout is not to be written', async () => {
  const root = mkdtempSync(join(tmpdir(), 'fluffy-old-'));
  mkdirSync(join(root, 'bin'));
  // A directory in the place of the record cannot be removed as a file, whoever tries.
  mkdirSync(join(root, 'dist/.setup/node'), { recursive: true });
  copyFileSync(launcher, join(root, 'bin/launch.cjs'));
  writeFileSync(join(root, 'old.cjs'), "Object.defineProperty(process.versions, 'node', { value: '20.1.0' });");
  const args = ['-r', join(root, 'old.cjs'), join(root, 'bin/launch.cjs')];
  const { exitCode, stderr } = await execa(process.execPath, args, { reject: false });
  rmSync(root, { recursive: true });
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(
    /^fluffy: error: Node 20\.1\.0 is too old\n {2}why: .*\n {2}fix: put Node 22 or newer first on PATH$/,
  );
});
