import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readWholeFile } from '../../../src/platform/git/read-file.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'fluffy-read-'));
  writeFileSync(join(directory, 'file'), '12345');
  symlinkSync('file', join(directory, 'link'));
});
afterEach(() => rmSync(directory, { recursive: true }));

it('reads a file of at most the size that is allowed', async () => {
  expect(String(await readWholeFile(join(directory, 'file'), 5))).toBe('12345');
  expect(await readWholeFile(join(directory, 'nothing'), 5)).toBeNull();
});

it.each([
  ['a larger one', 'file', 4, 'it has 5 bytes, more than the 4 that are read'],
  ['a link', 'link', 5, 'it is a symbolic link'],
  ['a directory', '.', 5, 'it is not a regular file'],
])('refuses %s', async (_name, name, maxBytes, why) => {
  const error: unknown = await readWholeFile(join(directory, name), maxBytes).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'repository_unreadable', why: expect.stringContaining(why) as unknown });
});
