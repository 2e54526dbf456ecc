import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { writeOutputFile } from '../../../src/lib/files/output-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'output-file-'));
afterAll(() => {
  rmSync(directory, { recursive: true });
});
const at = (name: string): string => join(directory, name);

it('replaces a file, and makes one that only its owner can read', async () => {
  writeFileSync(at('old'), 'old');
  await writeOutputFile(at('old'), 'text', { mode: 0o600 });
  await writeOutputFile(at('new'), 'text', { mode: 0o600 });
  expect([readFileSync(at('old'), 'utf8'), readFileSync(at('new'), 'utf8')]).toEqual(['text', 'text']);
  expect(statSync(at('new')).mode & 0o777).toBe(0o600);
});

it('keeps a link, and replaces the file that it leads to', async () => {
  writeFileSync(at('target'), 'old');
  symlinkSync('target', at('link'));
  await writeOutputFile(at('link'), 'text', { mode: 0o600 });
  expect(lstatSync(at('link')).isSymbolicLink()).toBe(true);
  expect(readFileSync(at('target'), 'utf8')).toBe('text');
});

it('writes into a pipe, which stays one', async () => {
  execFileSync('mkfifo', [at('pipe')]);
  const read = readFile(at('pipe'), 'utf8');
  await writeOutputFile(at('pipe'), 'text', { mode: 0o600 });
  expect(await read).toBe('text');
  expect(statSync(at('pipe')).isFIFO()).toBe(true);
});

it('does not write to a directory', async () => {
  await expect(writeOutputFile(directory, 'text', { mode: 0o600 })).rejects.toThrow('EISDIR');
});
