import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exchange, openExchange } from '../../src/ipc/unix-http.ts';

let directory: string;
let socketPath: string;
let server: Server | null;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fl-http-'));
  socketPath = join(directory, 'engine.sock');
  server = null;
});

afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  await rm(directory, { recursive: true });
});

async function listen(handler: RequestListener): Promise<void> {
  const listening = createServer(handler);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(socketPath, resolve));
}

async function* archive(pieces: number): AsyncGenerator<Buffer> {
  for (let piece = 0; piece < pieces; piece++) {
    await new Promise((resolve) => setImmediate(resolve));
    yield Buffer.alloc(64 * 1024, piece);
  }
}

test('sends JSON with its length, and answers with whatever status comes', async () => {
  await listen((request, response) => {
    const { method, url, headers } = request;
    response.writeHead(418).end(JSON.stringify({ method, url, length: headers['content-length'] }));
  });
  const body = { kind: 'json', value: { größe: 1 } } as const;
  const answer = await exchange({ socketPath, method: 'POST', path: '/a?b=c', body });
  expect(answer.status).toBe(418);
  expect(JSON.parse(answer.body.toString('utf8'))).toEqual({ method: 'POST', url: '/a?b=c', length: '13' });
});

test('uploads an archive as it is made', async () => {
  await listen((request, response) => {
    let length = 0;
    request.on('data', (chunk: Buffer) => (length += chunk.length));
    request.on('end', () => response.end(`${request.headers['content-type']} ${length}`));
  });
  const body = { kind: 'tar', bytes: archive(20) } as const;
  const answer = await exchange({ socketPath, method: 'POST', path: '/build', body });
  expect(answer.body.toString('utf8')).toBe(`application/x-tar ${20 * 64 * 1024}`);
});

test('rejects an answer above its limit, silence, a cut, and a socket that is not there', async () => {
  await listen((request, response) => {
    if (request.url === '/long') response.end('x'.repeat(2_000));
    else if (request.url === '/cut')
      response.writeHead(200, { 'content-length': 10 }).write('x', () => response.destroy());
  });
  const get = (path: string, timeoutMs?: number) => ({ socketPath, method: 'GET', path, timeoutMs }) as const;
  await expect(exchange(get('/long'), { maxBytes: 1_000 })).rejects.toThrow('longer than 1000 bytes');
  await expect(exchange(get('/silent', 50))).rejects.toThrow('no answer for 50 ms');
  await expect(exchange(get('/cut'))).rejects.toThrow();
  await expect(exchange({ ...get('/'), socketPath: join(directory, 'none') })).rejects.toMatchObject({
    code: 'ENOENT',
  });
});

test('an abort ends a call that waits for ever, and an answer that is streamed', async () => {
  await listen((request, response) => {
    if (request.url === '/stream') response.write('first');
  });
  const over = new AbortController();
  const waiting = exchange({ socketPath, method: 'POST', path: '/wait', timeoutMs: 0, signal: over.signal });
  const answer = await openExchange({ socketPath, method: 'GET', path: '/stream', signal: over.signal });
  const reading = answer.toArray();
  over.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  await expect(reading).rejects.toThrow();
});
