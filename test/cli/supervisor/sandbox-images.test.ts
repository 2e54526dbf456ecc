import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { projectImages } from '../../../src/cli/supervisor/sandbox-images.ts';
import { DERIVED_IMAGES } from '../../../src/host/images/image-context.ts';
import { readImageManifest, writeImageManifest } from '../../../src/host/images/image-records.ts';
import { type FakeImageEngine, idOf, startFakeImageEngine } from '../../support/images/fake-image-engine.ts';

let directory = '';
let engine: FakeImageEngine;
let progress: string[] = [];
const at = (...parts: string[]): string => join(directory, ...parts);
const start = (stateHome = at('state')) =>
  projectImages({ engine, stateHome, repoRoot: at('checkout'), onProgress: (line) => progress.push(line) });

const BASE = { id: idOf('base'), source: 'b'.repeat(64), base: 'host' as const, built_at_ms: 0 };
const imagesOf = async () => (await readImageManifest(at('state'))).images;

/** Gives one image's bundle a content, as a build of the checkout does. */
async function putBundle(name: string, text: string): Promise<void> {
  bundles[`${name}.mjs`] = createHash('sha256').update(text).digest('hex');
  await writeFile(at('checkout/dist', `${name}.mjs`), text);
  await writeFile(at('checkout/dist/manifest.json'), JSON.stringify({ version: 1, files: bundles }));
}
let bundles: Record<string, string> = {};

/** A checkout with one bundle for each image, an engine that has the base alone, and a home in which the base is recorded. */
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fluffy-session-images-'));
  [progress, bundles] = [[], {}];
  await mkdir(at('checkout/dist'), { recursive: true });
  for (const name of DERIVED_IMAGES) {
    const recipe = at('checkout/sandbox-images', name);
    await mkdir(recipe, { recursive: true });
    await writeFile(join(recipe, 'Dockerfile'), 'ARG BASE\nFROM ${BASE}\nCOPY rootfs/ /\n');
    await writeFile(
      join(recipe, 'context.json'),
      JSON.stringify({ copy: [{ from: `dist/${name}.mjs`, to: `opt/${name}` }] }),
    );
    await putBundle(name, 'first');
  }
  engine = await startFakeImageEngine(at('engine.sock'));
  engine.images.push({ id: BASE.id, name: 'base', source: BASE.source });
  await writeImageManifest(at('state'), { version: 1, images: { base: BASE } });
});
afterEach(async () => {
  engine.close();
  await rm(directory, { recursive: true, force: true });
});

test('a session builds what is missing, says so, and records it', async () => {
  const images = await start();
  expect(engine.built).toEqual([...DERIVED_IMAGES]);
  const place = (index: number) => `image ${index + 1} of ${DERIVED_IMAGES.length}`;
  expect(progress).toEqual(
    DERIVED_IMAGES.map((name, index) => `building the image ${name} (${place(index)}, 1 files, no network)`),
  );
  const recorded = await imagesOf();
  expect(images.kernel).toBe(recorded['kernel']?.id);
  expect(Object.keys(images.sandboxes).sort()).toEqual(['node', 'policy-sandbox', 'provider', 'python']);
});

test('a start with fresh images changes nothing and says nothing', async () => {
  const first = await start();
  [engine.changes.length, progress.length] = [0, 0];
  expect(await start()).toEqual(first);
  expect({ changes: engine.changes, progress }).toEqual({ changes: [], progress: [] });
});

test('a home that records nothing of them takes the images that the engine has', async () => {
  const first = await start();
  [engine.changes.length, progress.length] = [0, 0];
  await writeImageManifest(at('other'), { version: 1, images: { base: BASE } });
  expect(await start(at('other'))).toEqual(first);
  expect({ changes: engine.changes, progress }).toEqual({ changes: [], progress: [] });
});

test('only the image whose content changed is built again', async () => {
  const first = await start();
  engine.built.length = 0;
  await putBundle('kernel', 'second');
  const second = await start();
  expect(engine.built).toEqual(['kernel']);
  expect(second.kernel).not.toBe(first.kernel);
  expect(second.sandboxes).toEqual(first.sandboxes);
});

test('an image that the engine lost is built again', async () => {
  const { sandboxes } = await start();
  engine.built.length = 0;
  engine.images.splice(
    engine.images.findIndex(({ id }) => id === sandboxes.provider),
    1,
  );
  await start();
  expect(engine.built).toEqual(['provider']);
});

test('two starts at once build each image once', async () => {
  const [one, other] = await Promise.all([start(), start()]);
  expect(one).toEqual(other);
  expect(engine.built).toEqual([...DERIVED_IMAGES]);
});

test('a base that came from a registry is not replaced, and no registry is used, without the user', async () => {
  await writeImageManifest(at('state'), { version: 1, images: { base: { ...BASE, base: 'registry' } } });
  engine.images.length = 0;
  await expect(start()).rejects.toMatchObject({
    code: 'images_missing',
    exitCode: 3,
    fix: 'run: fluffy image build --base registry',
  });
  expect(engine.changes).toEqual([]);
});

test.each([
  [
    'a full disk',
    'write /var/lib/docker/tmp: no space left on device',
    "free space on the disk of the engine's data: `fluffy image prune` removes the images of other versions",
  ],
  ['another refusal', 'authorization denied by plugin', 'run `fluffy doctor`'],
])('%s of the engine is an error with its reason, and records nothing', async (_name, why, fix) => {
  engine.buildError = why;
  await expect(start()).rejects.toMatchObject({ code: 'engine_refused', exitCode: 3, why: `/build: ${why}`, fix });
  expect(Object.keys(await imagesOf())).toEqual(['base']);
});

test('a state directory that cannot be written is named, before anything is built', async () => {
  await expect(start('/sys/fluffy')).rejects.toMatchObject({
    code: 'images_not_recorded',
    exitCode: 3,
    fix: 'free space on the disk of /sys/fluffy, or make that directory writable',
  });
  expect(engine.changes).toEqual([]);
});

test('without recipes, the recorded images are used, and a lost one is an error', async () => {
  const images = await start();
  await rm(at('checkout/sandbox-images'), { recursive: true });
  await putBundle('kernel', 'second');
  expect(await start()).toEqual(images);
  engine.images.length = 1;
  await expect(start()).rejects.toMatchObject({ code: 'images_missing', fix: 'run: fluffy image build' });
});
