import { closeSync, existsSync, mkdtempSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pinRoot, throughFd } from '../../../src/platform/fs/descriptors.ts';
import { makeDirectory } from '../../../src/platform/fs/make-directory.ts';

function emptyDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'fluffy-make-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

test('those above are made too, for the kernel alone, and one that is there stays', () => {
  const directory = emptyDirectory();
  makeDirectory(join(directory, 'a/b/c'));
  makeDirectory(join(directory, 'a/b/c'));
  for (const path of ['a', 'a/b', 'a/b/c']) expect(statSync(join(directory, path)).mode & 0o777).toBe(0o700);
});

test('below a directory that was deleted while it is held, the call fails, and returns', () => {
  const directory = emptyDirectory();
  const held = pinRoot(directory);
  onTestFinished(() => closeSync(held));
  rmdirSync(directory);
  expect(() => makeDirectory(throughFd(held, 'slots/0/upper'))).toThrow(/ENOENT/);
  expect(existsSync(directory)).toBe(false);
});
