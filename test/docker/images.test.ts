import { cp, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkImages, ensureImages } from '../../src/host/images/ensure-images.ts';
import { listOurImages, removeImage } from '../../src/host/images/engine-images.ts';
import type { ImageManifest } from '../../src/host/images/image-records.ts';
import { type ImageCheckout, engine, makeImageCheckout } from './image-checkout.ts';
import { runInContainer } from './run-in-container.ts';

let checkout: ImageCheckout;
let directory = '';
let repoRoot = '';
let stateHome = '';

beforeAll(async () => {
  checkout = await makeImageCheckout();
  ({ directory, repoRoot, stateHome } = checkout);
});
afterAll(() => checkout.remove());

const ensure: ImageCheckout['ensure'] = () => checkout.ensure();
const idOf = (manifest: ImageManifest, name: string): string => manifest.images[name]?.id ?? '';

const withoutSteps = (lines: readonly string[]): string[] => lines.filter((line) => !/: step \d+ of \d+\)$/.test(line));

describe('the images', () => {
  test('are missing before they are built, and then fresh', async () => {
    const before = await checkImages({ engine, stateHome, repoRoot });
    expect(before.map(({ name, kind }) => `${name} ${kind}`)).toEqual(
      ['base', 'kernel', 'node', 'python', 'provider', 'policy-sandbox'].map((name) => `${name} missing`),
    );
    await ensure();
    const after = await checkImages({ engine, stateHome, repoRoot });
    expect(after.map(({ kind }) => kind)).toEqual(before.map(() => 'fresh'));
  });

  test('are recorded by ids the engine has, with our labels', async () => {
    const { manifest } = await ensure();
    const ours = await listOurImages(engine);
    for (const [name, { id, source }] of Object.entries(manifest.images))
      expect(ours).toContainEqual({ id, name, source });
  });

  test('run what is in them at the paths that the guard names', async () => {
    const { manifest } = await ensure();
    const run = async (name: string, ...command: string[]): Promise<string> => {
      const seccomp = join(repoRoot, 'seccomp/standard.json');
      const { stdout, stderr } = await runInContainer(engine, { image: idOf(manifest, name), command, seccomp });
      return stdout + stderr;
    };
    expect(await run('kernel', '/usr/local/bin/node', '/opt/fluffy/kernel/kernel.mjs')).toBe(
      `kernel first ${directory} 1 function\n`,
    );
    expect(await run('kernel', '/usr/local/bin/rg', '--version')).toMatch(/^ripgrep /);
    expect(await run('kernel', 'cat', '/opt/fluffy/policy.yaml')).toBe('version: 1\n');
    expect(await run('kernel', 'ls', '/opt/fluffy/seccomp')).toBe('standard-net.json\nstandard.json\nstrict.json\n');
    expect(await run('provider', '/usr/local/bin/node', '/opt/fluffy/providers/replay.mjs')).toBe(
      `provider ${directory}\n`,
    );
    expect(await run('policy-sandbox', '/usr/local/bin/deno', 'run', '/opt/fluffy/policy-sandbox/main.mjs')).toBe(
      `policy sandbox ${directory}\n`,
    );
    expect(await run('node', '/usr/local/bin/node', '/opt/fluffy/tools/fs-tool.mjs')).toBe(`tool ${directory}\n`);
    expect(await run('node', '/usr/local/bin/node', '/opt/fluffy/tools/test-tool/reporter.mjs')).toBe('reporter\n');
    expect(await run('node', '/usr/local/bin/node', '--version')).toBe(`${process.version}\n`);
    expect(await run('node', 'sh', '-c', 'git --version && id -un && echo ä | wc -m')).toMatch(
      /^git version .*\nfluffy\n2\n$/,
    );
  });

  test('hold nothing of the kernel in a sandbox, and no program that could change its user', async () => {
    const { manifest } = await ensure();
    const seccomp = join(repoRoot, 'seccomp/standard.json');
    const own = { node: 'tools', provider: 'providers', 'policy-sandbox': 'policy-sandbox' };
    for (const [name, folder] of Object.entries(own)) {
      const command = ['sh', '-c', 'ls /opt/fluffy; find / -xdev -perm /6000 -type f'];
      const { stdout } = await runInContainer(engine, { image: idOf(manifest, name), command, seccomp });
      expect(stdout).toBe(`${folder}\n`);
    }
  });
});

describe('a later start', () => {
  test('builds nothing', async () => {
    const { manifest } = await ensure();
    expect(await ensure()).toEqual({ manifest, progress: [] });
  });

  test('finds the images of an earlier one by their labels when the record is lost', async () => {
    const { manifest } = await ensure();
    await rm(join(stateHome, 'images.json'));
    const again = await ensure();
    // It looks, and builds nothing.
    expect(again.progress).toEqual(['comparing the programs of this host with the images that the engine has']);
    for (const name of Object.keys(manifest.images)) expect(idOf(again.manifest, name)).toBe(idOf(manifest, name));
  });

  test('builds the one image whose source has changed', async () => {
    const { manifest } = await ensure();
    await checkout.putBundles('second');
    const stale = (await checkImages({ engine, stateHome, repoRoot })).filter(({ kind }) => kind !== 'fresh');
    expect(stale).toMatchObject([{ name: 'kernel', kind: 'stale' }]);
    const { manifest: after, progress } = await ensure();
    expect(withoutSteps(progress)).toEqual([expect.stringContaining('building the image kernel')]);
    expect(progress.at(-1)).toMatch(/^building the image kernel \(image \d+ of \d+: step (\d+) of \1\)$/);
    expect(idOf(after, 'kernel')).not.toBe(idOf(manifest, 'kernel'));
    expect(idOf(after, 'node')).toBe(idOf(manifest, 'node'));
  });

  test('builds an image that the engine has lost', async () => {
    const { manifest } = await ensure();
    await removeImage(engine, idOf(manifest, 'provider'));
    expect((await checkImages({ engine, stateHome, repoRoot })).find(({ name }) => name === 'provider')).toMatchObject({
      kind: 'missing',
    });
    const { progress } = await ensure();
    expect(withoutSteps(progress)).toEqual([expect.stringContaining('building the image provider')]);
    expect(progress.at(-1)).toMatch(/^building the image provider \(image \d+ of \d+: step (\d+) of \1\)$/);
  });

  test('of two at once, one builds', async () => {
    await checkout.putBundles('third');
    const results = await Promise.all([ensure(), ensure()]);
    const built = withoutSteps(results.flatMap(({ progress }) => progress));
    expect(built.filter((line) => line.startsWith('building'))).toHaveLength(1);
    expect(results[0].manifest).toEqual(results[1].manifest);
  });
});

test('the base is stale when a program of the host that it was taken from has changed', async () => {
  const { manifest } = await ensure();
  const nodePath = join(directory, 'node');
  await cp(process.execPath, nodePath);
  const own = { engine, stateHome: join(directory, 'own-state'), repoRoot };
  await ensureImages({ ...own, base: 'host', only: [], nodePath });
  expect((await checkImages(own))[0]).toMatchObject({ name: 'base', kind: 'fresh', id: idOf(manifest, 'base') });
  await utimes(nodePath, 1, 1);
  expect((await checkImages(own))[0]).toMatchObject({
    name: 'base',
    kind: 'stale',
    why: expect.stringContaining(nodePath) as string,
  });
});
