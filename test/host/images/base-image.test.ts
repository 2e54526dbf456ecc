import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ensureBase } from '../../../src/host/images/base-image.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'fluffy-base-image-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

it.each(['host', 'registry'] as const)('only the way that the user chose is tried: %s', async (base) => {
  const lines: string[] = [];
  const made = ensureBase({
    engine: { socketPath: join(directory, 'no-socket') },
    repoRoot: resolve('.'),
    nodePath: join(directory, 'no-node'),
    base,
    present: [],
    progress: (line) => lines.push(line),
    now: () => 0,
  });
  await expect(made).rejects.toMatchObject({ code: 'base_unavailable' });
  const failures = lines.filter((line) => line.startsWith('no base image from '));
  const from = base === 'host' ? 'this host' : 'a registry';
  expect(failures).toEqual([expect.stringContaining(`no base image from ${from}: `)]);
});
