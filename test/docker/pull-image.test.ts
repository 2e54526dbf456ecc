import { realpath } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { removeImage } from '../../src/host/images/engine-images.ts';
import { createHostTree } from '../../src/host/images/rootfs/host-tree.ts';
import { pullImage } from '../../src/host/images/pull-image.ts';
import { sharedLibraries } from '../../src/host/images/rootfs/shared-libraries.ts';
import { tarStream } from '../../src/host/images/rootfs/tar-stream.ts';
import { makeFluffyHome } from '../support/job/fluffy-home.ts';
import { giveAway, makeJobProject } from '../support/job/job-project.ts';
import { startImageRegistry } from '../support/wire/image-registry.ts';
import type { ImageRegistry } from '../support/wire/image-registry.ts';

/** The real engine pulls from a registry on the loopback, which answers late, breaks off and lies. */

const engine = { socketPath: '/var/run/docker.sock' };
const undo: (() => Promise<unknown> | void)[] = [];

afterEach(async () => {
  for (const action of undo.splice(0).reverse()) await action();
});

async function registryOf(layers: readonly Buffer[]): Promise<ImageRegistry> {
  const registry = await startImageRegistry(layers);
  undo.push(
    () => registry.close(),
    () => removeImage(engine, `${registry.name}:1`),
  );
  return registry;
}

/** What every sandbox starts with, and the libraries that it needs. */
async function smallestLayer(): Promise<Buffer> {
  const tree = createHostTree();
  const programs = await Promise.all(['/bin/sh', '/bin/rm', '/usr/bin/env'].map((path) => realpath(path)));
  for (const path of ['/bin', '/lib', '/lib64']) await tree.addDirectory(path, () => false);
  for (const path of ['/bin/sh', ...programs, ...(await sharedLibraries(programs))]) await tree.addFile(path);
  return tarOf(tree.entries());
}

async function tarOf(entries: Parameters<typeof tarStream>[0]): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of tarStream(entries)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** A layer with as much in it as a connection does not carry at once. */
const large = (letter: string): Promise<Buffer> =>
  tarOf([
    {
      kind: 'file',
      path: `data-${letter}`,
      mode: 0o644,
      content: { kind: 'bytes', bytes: Buffer.alloc(4_000_000, letter) },
    },
  ]);

async function pulled(registry: ImageRegistry, reference: string) {
  const lines: string[] = [];
  const waits: number[] = [];
  const options = {
    onProgress: (line: string) => void lines.push(line),
    pause: (ms: number) => Promise.resolve(void waits.push(ms)),
  };
  const id = await pullImage(engine, reference, options).catch((error: unknown) => error);
  return { id, lines, waits, registry };
}

describe('pulling an image', () => {
  it('shows how far it is, waits for a registry that is not ready, and goes on where a layer broke off', async () => {
    const registry = await registryOf([await large('a'), await large('b')]);
    registry.troubles.manifest.push({ kind: 'later', status: 503 }, { kind: 'later', status: 429 });
    registry.troubles.layer.push({ kind: 'cut' });
    const { id, lines, waits } = await pulled(registry, `${registry.name}:1`);
    expect(id).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(waits.length).toBeGreaterThan(0);
    expect(lines.join('\n')).toContain('the registry is not ready');
    expect(lines.at(-1)).toMatch(/^pulling .*team\/tools:1: .* MB, 2 of 2 layers$/);
    expect(registry.ranges.filter((range) => range !== undefined && range !== 'bytes=0-')).not.toEqual([]);
  });

  it('takes the image of a digest, and no other', async () => {
    const registry = await registryOf([await large('c')]);
    const other = `${registry.name}@sha256:${'0'.repeat(64)}`;
    expect((await pulled(registry, other)).id).toMatchObject({ code: 'image_not_pulled', exitCode: 3 });
    expect(registry.requests.layer).toBe(0);
    const own = `${registry.name}@${registry.digest}`;
    undo.push(() => removeImage(engine, own));
    expect((await pulled(registry, own)).id).toMatch(/^sha256:/);
  });

  it('keeps nothing of a layer that is not what its digest says', async () => {
    const registry = await registryOf([await large('d')]);
    registry.troubles.layer.push({ kind: 'forged' });
    const { id, waits } = await pulled(registry, `${registry.name}:1`);
    expect(id).toMatchObject({ code: 'image_not_pulled', why: expect.stringContaining('digest') as string });
    expect([waits, registry.requests.layer]).toEqual([[], 1]);
  });
});

it('fluffy image use pulls an image that the engine does not have, and writes it down with its id', async () => {
  const registry = await registryOf([await smallestLayer()]);
  const project = makeJobProject();
  giveAway(project.root);
  const home = makeFluffyHome();
  undo.push(
    () => project.remove(),
    () => home.remove([project.root]),
  );
  const reference = `${registry.name}:1`;
  const used = await home.run(['image', 'use', reference], { cwd: project.root });
  expect(used.stderr).toContain(`pulling ${reference}, which the engine does not have`);
  expect(used.stdout).toMatch(/^sha256:[0-9a-f]{64}\n(?:note: .*\n)+$/);
  expect(used.code).toBe(0);
  const list = await home.run(['config', 'get', 'sandbox.image'], { cwd: project.root });
  expect(JSON.parse(list.stdout)).toEqual([
    { project: project.root, image: reference, id: used.stdout.split('\n')[0] },
  ]);
});
