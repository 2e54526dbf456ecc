import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { imageTag, listOurImages } from '../../../src/host/images/engine-images.ts';

test('an image of a registry that bears our labels is none of ours', async () => {
  const source = 'a'.repeat(64);
  const image = (id: string, RepoTags: readonly string[] | null) => ({
    Id: `sha256:${id}`,
    Labels: { 'fluffy.image': 'kernel', 'fluffy.source': source },
    RepoTags,
  });
  const images = [
    image('1', ['registry.example/kernel:1']),
    image('2', null),
    image('3', [imageTag('node', source)]),
    image('4', ['other:1', imageTag('kernel', source)]),
  ];
  const directory = await mkdtemp(join(tmpdir(), 'fluffy-our-images-'));
  const server = createServer((_request, response) => response.end(JSON.stringify(images)));
  server.listen(join(directory, 'engine.sock'));
  await once(server, 'listening');
  const ours = await listOurImages({ socketPath: join(directory, 'engine.sock') });
  expect(ours).toEqual([{ id: 'sha256:4', name: 'kernel', source }]);
  server.close();
  await rm(directory, { recursive: true, force: true });
});
