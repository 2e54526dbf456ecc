import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { pullImage } from '../../../src/host/images/pull-image.ts';
import { PullProgress } from '../../../src/host/images/pull-progress.ts';

const ID = `sha256:${'a'.repeat(64)}`;
const undo: (() => Promise<unknown> | void)[] = [];

afterEach(async () => {
  for (const action of undo.splice(0).reverse()) await action();
});

/** An engine that answers the pulls one after the other, the last of them for ever. */
async function pull(reference: string, ...answers: readonly (readonly [status: number, body: string])[]) {
  const directory = await mkdtemp(join(tmpdir(), 'fluffy-pull-'));
  undo.push(() => rm(directory, { recursive: true }));
  const asked: string[] = [];
  const server = createServer((request, response) => {
    if (request.method === 'GET') return void response.end(JSON.stringify({ Id: ID }));
    asked.push(request.url ?? '');
    const [status, body] = answers[Math.min(asked.length, answers.length) - 1] ?? [500, ''];
    response.writeHead(status).end(body);
  });
  const socketPath = join(directory, 'engine.sock');
  server.listen(socketPath);
  await once(server, 'listening');
  undo.push(() => void server.close());
  const waits: number[] = [];
  const pause = (ms: number) => Promise.resolve(void waits.push(ms));
  const ended = await pullImage({ socketPath }, reference, { onProgress: () => undefined, pause }).catch(
    (error: unknown) => error,
  );
  return { ended, waits, asked };
}

const DONE = [200, '{"status":"Pull complete","id":"a"}\n'] as const;

describe('a pull', () => {
  test.each([
    ['golang', 'fromImage=golang&tag=latest'],
    ['localhost:5000/a/b:1', 'fromImage=localhost%3A5000%2Fa%2Fb&tag=1'],
    [`a:1@${ID}`, `fromImage=a&tag=${encodeURIComponent(ID)}`],
  ])('of %s asks the engine for %s', async (reference, query) => {
    expect(await pull(reference, DONE)).toEqual({ ended: ID, waits: [], asked: [`/images/create?${query}`] });
  });

  test.each([
    ['an answer', [429, '{"message":"toomanyrequests: slow down"}']],
    [
      'a later line',
      [200, '{"status":"Downloading"}\n{"error":"received unexpected HTTP status: 503 Service Unavailable"}\n'],
    ],
    ['a connection', [500, '{"message":"read tcp: connection reset by peer"}']],
  ] as const)('is tried again where %s says later', async (_, later) => {
    expect(await pull('a', later, later, DONE)).toMatchObject({ ended: ID, waits: [2_000, 4_000] });
  });

  test('ends after five tries', async () => {
    const { ended, asked } = await pull('a', [503, '{"message":"503 Service Unavailable"}']);
    expect(ended).toMatchObject({ code: 'image_not_pulled', why: '503 Service Unavailable', exitCode: 3 });
    expect(asked).toHaveLength(5);
  });

  test.each([
    [404, '{"message":"manifest for a:latest not found"}', 'manifest for a:latest not found'],
    [
      200,
      '{"error":"layer verification failed for digest sha256:503"}\n',
      'layer verification failed for digest sha256:503',
    ],
    [500, 'no JSON', 'no JSON'],
  ])('ends at once where the engine says %i %s', async (status, body, why) => {
    const { ended, waits } = await pull('a', [status, body]);
    expect([ended, waits]).toMatchObject([{ code: 'image_not_pulled', why }, []]);
  });
});

test('progress is a line for each tenth and each layer, and never one twice', () => {
  const progress = new PullProgress();
  const down = (id: string, current: number, total: number) => ({
    status: 'Downloading',
    id,
    progressDetail: { current: current * 1e6, total: total * 1e6 },
  });
  const lines = [
    { status: 'Pulling from team/tools', id: '1' },
    { status: 'Pulling fs layer', id: 'a' },
    { status: 'Already exists', id: 'b' },
    down('a', 1, 40),
    down('a', 4, 40),
    down('a', 5, 40),
    down('a', 20, 40),
    { status: 'Extracting', id: 'a', progressDetail: { current: 1, total: 2 } },
    { status: 'Pull complete', id: 'a' },
    { status: 'Digest: sha256:1' },
    'no JSON',
  ];
  const shown = lines.map((line) => progress.add(typeof line === 'string' ? line : JSON.stringify(line)));
  expect(shown.filter((line) => line !== null)).toEqual([
    '0.0 of 0.0 MB, 0 of 1 layers',
    '0.0 of 0.0 MB, 1 of 2 layers',
    '4.0 of 40.0 MB, 1 of 2 layers',
    '20.0 of 40.0 MB, 1 of 2 layers',
    '40.0 of 40.0 MB, 2 of 2 layers',
  ]);
});
