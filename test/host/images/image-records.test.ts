import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ImageManifest, readImageManifest, writeImageManifest } from '../../../src/host/images/image-records.ts';

let stateHome = '';
beforeEach(async () => {
  stateHome = join(await mkdtemp(join(tmpdir(), 'fluffy-records-')), 'state/fluffy');
});
afterEach(() => rm(join(stateHome, '../..'), { recursive: true, force: true }));

const manifest: ImageManifest = {
  version: 1,
  images: {
    base: {
      id: `sha256:${'a'.repeat(64)}`,
      source: 'b'.repeat(64),
      base: 'host',
      built_at_ms: 1,
      inputs: [{ path: '/usr/bin/git', size: 3, mtime_ms: 4.5 }],
    },
  },
};

test('what was written is read, and nothing else is left behind', async () => {
  await writeImageManifest(stateHome, manifest);
  expect(await readImageManifest(stateHome)).toEqual(manifest);
  expect(await readdir(stateHome)).toEqual(['images.json']);
  expect((await stat(join(stateHome, 'images.json'))).mode & 0o777).toBe(0o600);
});

test.each([
  ['missing', undefined],
  ['empty', ''],
  ['cut off', '{"version":1,"ima'],
  ['of another version', '{"version":2,"images":{}}'],
  [
    'with an image by name instead of id',
    JSON.stringify({ version: 1, images: { base: { ...manifest.images['base'], id: 'debian:latest' } } }),
  ],
])('a record that is %s is none', async (_name, text) => {
  if (text !== undefined) {
    await mkdir(stateHome, { recursive: true });
    await writeFile(join(stateHome, 'images.json'), text);
  }
  expect(await readImageManifest(stateHome)).toEqual({ version: 1, images: {} });
});
