import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSlotUsage } from '../../../src/platform/sandbox-dirs/slot-usage.ts';

const MIB = 1024 * 1024;

describe('what an overlay operation writes', () => {
  let stateDir: string;
  let upper: string;
  beforeEach(async () => {
    stateDir = await mkdtemp(join(tmpdir(), 'slot-usage-'));
    upper = join(stateDir, 'slots/3/upper');
    await mkdir(upper, { recursive: true });
  });
  afterEach(() => rm(stateDir, { recursive: true }));

  const usage = (more: object = {}) =>
    createSlotUsage({ stateDir, maxBytes: 4 * MIB, maxEntries: 10, minFreeBytes: 0, ...more })(3);

  test('is within its bounds', async () => {
    await writeFile(join(upper, 'a'), Buffer.alloc(MIB, 1));
    expect(await usage()).toBe('within');
  });

  test('is too much', async () => {
    await writeFile(join(upper, 'a'), Buffer.alloc(5 * MIB, 1));
    expect(await usage()).toBe('exceeded');
  });

  test('is too many', async () => {
    for (let i = 0; i < 11; i += 1) await writeFile(join(upper, String(i)), '');
    expect(await usage()).toBe('exceeded');
  });

  test('fills the disk, wherever it hides', async () => {
    expect(await usage({ minFreeBytes: 2 ** 60 })).toBe('disk-full');
  });

  test('includes a directory that a test has locked, which is its own business', async () => {
    await mkdir(join(upper, 'locked'));
    await chmod(join(upper, 'locked'), 0);
    expect(await usage()).toBe('within');
  });

  test('is nothing when the slot is not there', async () => {
    await rm(upper, { recursive: true });
    expect(await usage()).toBe('within');
  });
});
