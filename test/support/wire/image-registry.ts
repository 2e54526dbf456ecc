import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a request is answered with in place of what was asked for. */
export type Trouble =
  | { readonly kind: 'later'; readonly status: 429 | 503 }
  /** The connection ends in the middle of the body. */
  | { readonly kind: 'cut' }
  /** Other bytes of the same length. */
  | { readonly kind: 'forged' };

/** A registry of images on the loopback, with one image. */
export interface ImageRegistry {
  /** `127.0.0.1:PORT/team/tools` */
  readonly name: string;
  /** Of the manifest: `sha256:…`. */
  readonly digest: string;
  /** For the next requests of manifests, and of layers; each is used once. */
  readonly troubles: { manifest: Trouble[]; layer: Trouble[] };
  /** `Range` of each request of a layer. */
  readonly ranges: (string | undefined)[];
  /** How many requests there were, by kind. */
  readonly requests: { manifest: number; layer: number };
  close(): Promise<void>;
}

const TYPES = {
  manifest: 'application/vnd.docker.distribution.manifest.v2+json',
  config: 'application/vnd.docker.container.image.v1+json',
  layer: 'application/vnd.docker.image.rootfs.diff.tar',
} as const;

/** `layers` are tar archives, the lowest first. */
export async function startImageRegistry(layers: readonly Buffer[]): Promise<ImageRegistry> {
  const config = Buffer.from(
    JSON.stringify({
      architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
      os: 'linux',
      config: { Env: ['PATH=/usr/bin:/bin'] },
      rootfs: { type: 'layers', diff_ids: layers.map(digestOf) },
      history: layers.map(() => ({ created: '2020-01-01T00:00:00Z' })),
    }),
  );
  const described = (mediaType: string, bytes: Buffer) => ({ mediaType, size: bytes.length, digest: digestOf(bytes) });
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: TYPES.manifest,
      config: described(TYPES.config, config),
      layers: layers.map((layer) => described(TYPES.layer, layer)),
    }),
  );
  const blobs = new Map([config, ...layers].map((bytes) => [digestOf(bytes), bytes]));
  const registry = {
    troubles: { manifest: [] as Trouble[], layer: [] as Trouble[] },
    ranges: [] as (string | undefined)[],
    requests: { manifest: 0, layer: 0 },
    digest: digestOf(manifest),
  };
  const server = createServer((request, response) => {
    const [kind, reference = ''] = /\/(manifests|blobs)\/(.+)$/.exec(request.url ?? '')?.slice(1) ?? [];
    if (kind === undefined) return void response.end('{}');
    if (kind === 'manifests') {
      registry.requests.manifest += request.method === 'GET' ? 1 : 0;
      response.setHeader('Docker-Content-Digest', registry.digest);
      const trouble = registry.troubles.manifest.shift();
      return send(response, { bytes: manifest, type: TYPES.manifest, from: 0 }, trouble);
    }
    const bytes = blobs.get(reference);
    if (bytes === undefined) return void response.writeHead(404).end('{}');
    const isLayer = bytes !== config;
    if (isLayer) {
      registry.requests.layer += 1;
      registry.ranges.push(request.headers.range);
    }
    const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const trouble = isLayer ? registry.troubles.layer.shift() : undefined;
    send(response, { bytes, type: 'application/octet-stream', from }, trouble);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    ...registry,
    name: `127.0.0.1:${port}/team/tools`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function send(
  response: ServerResponse,
  { bytes, type, from }: { readonly bytes: Buffer; readonly type: string; readonly from: number },
  trouble: Trouble | undefined,
): void {
  if (trouble?.kind === 'later') return void response.writeHead(trouble.status, { 'Retry-After': '1' }).end('{}');
  const part = trouble?.kind === 'forged' ? Buffer.alloc(bytes.length - from, 'x') : bytes.subarray(from);
  const partial = from > 0 ? { 'Content-Range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {};
  response.writeHead(from > 0 ? 206 : 200, { 'Content-Type': type, 'Content-Length': part.length, ...partial });
  if (trouble?.kind === 'cut') response.write(part.subarray(0, part.length / 2), () => response.destroy());
  else response.end(part);
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
