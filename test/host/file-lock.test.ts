import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withFileLock } from '../../src/host/file-lock.ts';

let directory = '';
let path = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fluffy-lock-'));
  path = join(directory, 'deep/er/lock');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test('only one holder at a time; the others wait and say so once', async () => {
  let holders = 0;
  let most = 0;
  let waits = 0;
  const hold = (): Promise<void> =>
    withFileLock(path, { onWait: () => waits++ }, async () => {
      most = Math.max(most, ++holders);
      await new Promise((resolve) => setImmediate(resolve));
      holders--;
    });
  await Promise.all([hold(), hold(), hold()]);
  expect({ most, holders }).toEqual({ most: 1, holders: 0 });
  expect(waits).toBeLessThanOrEqual(2);
});

test('an action that fails gives the lock back, and its error on', async () => {
  const failing = withFileLock(path, {}, () => Promise.reject(new Error('broken')));
  await expect(failing).rejects.toThrow('broken');
  expect(await withFileLock(path, {}, () => Promise.resolve('next'))).toBe('next');
});

test('a holder that is killed holds nothing', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'hold-lock.ts'), path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const waiting = new Promise<void>((resolve, reject) => {
    withFileLock(path, { onWait: () => child.kill('SIGKILL') }, () => Promise.resolve()).then(resolve, reject);
  });
  await waiting;
  expect(child.signalCode ?? (await once(child, 'exit'))[1]).toBe('SIGKILL');
});

test('waiting ends when it is cancelled', async () => {
  const cancel = new AbortController();
  await withFileLock(path, {}, async () => {
    const waiting = withFileLock(path, { onWait: () => cancel.abort(), signal: cancel.signal }, () =>
      Promise.resolve(),
    );
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });
});
