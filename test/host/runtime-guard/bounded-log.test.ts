import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openBoundedLog } from '../../../src/host/runtime-guard/bounded-log.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp('/tmp/fluffy-guard-unit-');
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('a bounded log', () => {
  test('holds JSON lines, and at most twice its bound', async () => {
    const path = join(root, 'guard.log');
    const log = openBoundedLog(path, () => 0, 1000);
    for (let i = 0; i < 100; i++) log.write({ event: 'refused', path: `/x${i}\n${'y'.repeat(1000)}` });
    await log.flush();
    const { size } = await stat(path);
    expect(size).toBeLessThanOrEqual(1000);
    expect((await stat(`${path}.1`)).size).toBeLessThanOrEqual(1000);
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    const last = JSON.parse(lines.at(-1) ?? '') as { time: string; path: string };
    expect(last.time).toBe('1970-01-01T00:00:00.000Z');
    expect(last.path).toHaveLength(300);
    expect(last.path).toContain('/x99\n');
  });

  test('drops what comes faster than it can be written', async () => {
    const path = join(root, 'guard.log');
    const log = openBoundedLog(path, () => 0);
    for (let i = 0; i < 1_200; i++) log.write({ event: 'refused' });
    await log.flush();
    expect((await readFile(path, 'utf8')).trimEnd().split('\n')).toHaveLength(1_000);
    log.write({ event: 'later' });
    await log.flush();
    expect(await readFile(path, 'utf8')).toContain('"event":"later"');
  });

  test('never fails', async () => {
    const log = openBoundedLog(join(root, 'missing/guard.log'), () => 0);
    log.write({ event: 'x' });
    await expect(log.flush()).resolves.toBeUndefined();
  });
});
