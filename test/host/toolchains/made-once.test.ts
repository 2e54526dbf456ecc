import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withFileLock } from '../../../src/host/file-lock.ts';
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

it.each([true, false])('does not wait for a lock once it is made (%s)', async (isMade) => {
  const kit = join(directory, 'kit');
  const fill = () => Promise.resolve();
  const waits = (text: string) => {
    if (text === WORDS.waiting) throw new Error('waits');
  };
  if (isMade) await madeOnce(kit, WORDS, waits, fill);
  const asked = withFileLock(`${kit}.lock`, {}, () => madeOnce(kit, WORDS, waits, fill));
  await (isMade ? expect(asked).resolves.toBe(kit) : expect(asked).rejects.toThrow('waits'));
});

it('is made once by processes that ask at the same time', async () => {
  const kit = join(directory, 'kit');
  const said: string[] = [];
  const make = () =>
    madeOnce(
      kit,
      WORDS,
      (text) => said.push(text),
      () => Promise.resolve(),
    );
  expect(await Promise.all([make(), make()])).toEqual([kit, kit]);
  expect(said.filter((text) => text === WORDS.making)).toHaveLength(1);
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
