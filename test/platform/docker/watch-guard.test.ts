import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { untilGuardGone } from '../../../src/platform/docker/watch-guard.ts';

let directory: string;
let socketPath: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fl-watch-'));
  socketPath = join(directory, 'guard.sock');
});
afterEach(() => rm(directory, { recursive: true }));

async function listen(): Promise<Server> {
  const server = createServer((socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return server;
}

async function close(server: Server): Promise<void> {
  await new Promise((resolve) => server.close(resolve));
}

test('ends when the guard is gone, and not while one listens', async () => {
  const server = await listen();
  let gone = false;
  const watching = untilGuardGone({ socketPath, everyMs: 5, signal: AbortSignal.timeout(10_000) }).then(() => {
    gone = true;
  });
  await new Promise<void>((resolve) => {
    let connections = 0;
    server.on('connection', () => {
      connections += 1;
      if (connections === 10) resolve();
    });
  });
  expect(gone).toBe(false);
  await close(server);
  await watching;
  expect(gone).toBe(true);
});

test('a socket that was never there is a guard that is gone', async () => {
  await untilGuardGone({ socketPath, everyMs: 1, signal: AbortSignal.timeout(10_000) });
});

test('stops when it is aborted', async () => {
  const server = await listen();
  await expect(untilGuardGone({ socketPath, everyMs: 5, signal: AbortSignal.timeout(30) })).rejects.toThrow();
  await close(server);
});
