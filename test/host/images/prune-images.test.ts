import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cliServices } from '../../support/cli/cli-services.ts';
import { capturedOutput } from '../../support/cli/captured-output.ts';
import { pruneUnused } from '../../../src/cli/image/image-commands.ts';
import { writeImageManifest } from '../../../src/host/images/image-records.ts';
import { pruneImages } from '../../../src/host/images/prune-images.ts';

const id = (letter: string): string => `sha256:${letter.repeat(64)}`;
const image = (letter: string, name: string) => ({
  Id: id(letter),
  Labels: { 'fluffy.image': name, 'fluffy.source': letter.repeat(64) },
});

const record = (letter: string) => ({
  id: id(letter),
  source: letter.repeat(64),
  base: 'host' as const,
  built_at_ms: 0,
});

let directory = '';
let server: Server;
let deleted: string[] = [];

/** An engine with two generations of images, in which the old provider is still in use. */
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fluffy-prune-'));
  deleted = [];
  server = createServer((request, response) => {
    if (request.url?.endsWith('/_ping') === true) response.setHeader('api-version', '1.41').end('OK');
    else if (request.method === 'DELETE') {
      const path = request.url?.split('?')[0]?.replace(/^.*\/images\//, '') ?? '';
      deleted.push(path);
      response.writeHead(path === id('d') ? 409 : 200).end('{"message":"in use"}');
    } else {
      const images = [
        image('a', 'base'),
        image('b', 'node'),
        image('c', 'base'),
        image('d', 'provider'),
        image('e', 'node'),
      ];
      response.end(JSON.stringify(images));
    }
  });
  server.listen(join(directory, 'engine.sock'));
  await once(server, 'listening');
});
afterEach(async () => {
  server.close();
  await rm(directory, { recursive: true, force: true });
});

test('what is recorded stays; the rest goes, bases last; what is used is told', async () => {
  await writeImageManifest(directory, { version: 1, images: { base: record('a'), node: record('b') } });
  const pruned = await pruneImages({ engine: { socketPath: join(directory, 'engine.sock') }, stateHome: directory });
  expect(pruned).toEqual({ removed: [id('e'), id('c')], inUse: [id('d')] });
  expect(deleted).toEqual([id('d'), id('e'), id('c')]);
});

test('removes nothing where it is not recorded which images are in use, as in another HOME', async () => {
  const pruned = pruneImages({ engine: { socketPath: join(directory, 'engine.sock') }, stateHome: directory });
  await expect(pruned).rejects.toMatchObject({ code: 'images_missing' });
  expect(deleted).toEqual([]);
});

test.each([
  [false, `removed ${id('e')}\nremoved ${id('c')}\n`, `${id('d')} is still in use and stays\n`],
  [true, `${JSON.stringify({ removed: [id('e'), id('c')], in_use: [id('d')] })}\n`, ''],
])('fluffy image prune says what it did (--json: %s)', async (json, stdout, stderr) => {
  await writeImageManifest(join(directory, 'fluffy'), { version: 1, images: { base: record('a'), node: record('b') } });
  const output = capturedOutput();
  const env = { HOME: directory, XDG_STATE_HOME: directory, DOCKER_HOST: `unix://${join(directory, 'engine.sock')}` };
  const code = await pruneUnused({ json, project: undefined, allowRoot: false }, cliServices({ env, output }));
  expect({ code, ...output.text }).toEqual({ code: 0, stdout, stderr });
});
