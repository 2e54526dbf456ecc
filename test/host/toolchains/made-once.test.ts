import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { madeOnce } from '../../../src/host/toolchains/made-once.ts';

const WORDS = { making: 'making', waiting: 'waiting' };
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'fluffy-made-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

it('what a process with a private umask makes can be read and run by the uid of any sandbox', async () => {
  const umask = process.umask(0o077);
  try {
    await madeOnce(
      join(directory, 'kit'),
      WORDS,
      () => undefined,
      async (made) => {
        mkdirSync(join(made, 'bin/deep'), { recursive: true });
        writeFileSync(join(made, 'bin/run'), '#!/bin/sh\n', { mode: 0o700 });
        writeFileSync(join(made, 'bin/deep/data'), 'x');
        symlinkSync('/nowhere', join(made, 'link'));
        return Promise.resolve();
      },
    );
  } finally {
    process.umask(umask);
  }
  const modes = ['kit', 'kit/bin', 'kit/bin/deep', 'kit/bin/run', 'kit/bin/deep/data'].map((path) =>
    (statSync(join(directory, path)).mode & 0o777).toString(8),
  );
  expect(modes).toEqual(['755', '755', '755', '755', '644']);
});

it('is made by the first that asks, and nothing is left of one that could not be made', async () => {
  const said: string[] = [];
  const kit = join(directory, 'kit');
  const make = (fails: boolean) =>
    madeOnce(
      kit,
      WORDS,
      (text) => said.push(text),
      () => (fails ? Promise.reject(new Error('no space')) : Promise.resolve()),
    );
  await expect(make(true)).rejects.toThrow('no space');
  expect(await make(false)).toBe(kit);
  expect(await make(true)).toBe(kit);
  expect(said).toEqual(['making', 'making']);
});
