import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { imageTag } from '../../../src/host/images/engine-images.ts';

export interface FakeImage {
  readonly id: string;
  readonly name: string;
  readonly source: string;
}

/** The part of a container engine that lists, finds and builds images. */
export interface FakeImageEngine {
  readonly socketPath: string;
  readonly images: FakeImage[];
  /** Names of the images that were built, in order. */
  readonly built: string[];
  /** Method and path of each request that changes something. */
  readonly changes: string[];
  /** What a build ends with instead of an image. */
  buildError: string | null;
  close(): void;
}

export async function startFakeImageEngine(socketPath: string): Promise<FakeImageEngine> {
  const engine: FakeImageEngine = {
    socketPath,
    images: [],
    built: [],
    changes: [],
    buildError: null,
    close: () => void server.close(),
  };
  const tags = new Map<string, FakeImage>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://engine');
    request.resume().once('end', () => {
      if (request.method !== 'GET') engine.changes.push(`${request.method} ${url.pathname}`);
      const name = /^\/images\/(.+)\/json$/.exec(url.pathname)?.[1];
      if (url.pathname === '/images/json') {
        const list = engine.images.map(({ id, name: image, source }) => ({
          Id: id,
          Labels: { 'fluffy.image': image, 'fluffy.source': source },
          RepoTags: [imageTag(image, source)],
        }));
        response.end(JSON.stringify(list));
      } else if (name !== undefined) {
        const found = tags.get(name) ?? engine.images.find(({ id }) => id === name);
        response.writeHead(found === undefined ? 404 : 200).end(JSON.stringify({ Id: found?.id }));
      } else if (url.pathname === '/build' && engine.buildError === null) {
        const labels = JSON.parse(url.searchParams.get('labels') ?? '{}') as Record<string, string>;
        const [image = '', source = ''] = [labels['fluffy.image'], labels['fluffy.source']];
        const made = { id: idOf(`${image} ${source}`), name: image, source };
        engine.images.push(made);
        engine.built.push(image);
        tags.set(url.searchParams.get('t') ?? '', made);
        response.end('{"stream":"done"}\n');
      } else if (url.pathname === '/build') response.end(`${JSON.stringify({ error: engine.buildError })}\n`);
      else response.writeHead(500).end('{"message":"the fake engine does not know this request"}');
    });
  });
  server.listen(socketPath);
  await once(server, 'listening');
  return engine;
}

export function idOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
