import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openEgressGate } from '../../../src/host/egress-gate/index.ts';
import type { EgressEvent } from '../../../src/host/egress-gate/index.ts';
import { networkReadyTool } from '../../../tool-plugins/network-tool/network-ready.ts';
import { openRoutes } from '../../../tool-plugins/network-tool/open-routes.ts';

/** The program of a test run's network, through the real egress gate, to a server on the loopback. */

let directory = '';
const closing: (() => void | Promise<void>)[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'fl-net-'));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  rmSync(directory, { recursive: true });
});

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  closing.push(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  return port;
}

async function gateFor(targetPort: number) {
  const events: EgressEvent[] = [];
  const socketPath = join(directory, 'egress.sock');
  const gate = await openEgressGate({
    socketPath,
    allow: [{ host: 'localhost', port: targetPort, reach: 'public' }],
    onDecision: (event) => events.push(event),
  });
  closing.push(() => gate.close());
  return { socketPath, events };
}

/** All that comes until the other side ends. */
async function read(port: number, say: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(say);
  const chunks: Buffer[] = [];
  for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test('what is said at an address reaches the host behind it, and the answer comes back, whoever speaks first', async () => {
  const target = await listening(
    createServer((socket) => {
      socket.write('first; ');
      socket.once('data', (data) => socket.end(`got ${data.toString()}`));
    }),
  );
  const { socketPath, events } = await gateFor(target);
  const port = await freePort();
  const opened = await openRoutes(
    { routes: [{ address: '127.0.0.1', port, target: `localhost:${target}` }], proxy: false },
    socketPath,
  );
  closing.push(() => opened.close());
  expect(await read(port, 'hello')).toBe('first; got hello');
  expect(events[0]).toMatchObject({ kind: 'allowed', host: 'localhost', port: target });
});

test('a host that the gate refuses is a connection that ends', async () => {
  const { socketPath, events } = await gateFor(1);
  const port = await freePort();
  const opened = await openRoutes(
    { routes: [{ address: '127.0.0.1', port, target: 'other.example:443' }], proxy: false },
    socketPath,
  );
  closing.push(() => opened.close());
  expect(await read(port, '')).toBe('');
  expect(events).toEqual([
    { kind: 'refused', target: 'other.example:443', reason: 'not on the list of permitted hosts' },
  ]);
});

test('the proxy reaches the same hosts and no others', async () => {
  const target = await listening(createServer((socket) => socket.end('outside')));
  const { socketPath } = await gateFor(target);
  const port = await freePort();
  const opened = await openRoutes({ routes: [], proxy: true }, socketPath, port);
  closing.push(() => opened.close());
  expect(await read(port, `CONNECT localhost:${target} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(
    /^HTTP\/1.1 200 .*outside$/s,
  );
  expect(await read(port, 'CONNECT other.example:443 HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1.1 403 /);
});

test('services are ready when they accept connections; those that do not are named', async () => {
  const port = await listening(createServer((socket) => socket.end()));
  const closed = await freePort();
  const context = { signal: new AbortController().signal } as Parameters<typeof networkReadyTool.handler>[1];
  const ready = (ports: number[], within_ms: number) => networkReadyTool.handler({ ports, within_ms }, context);
  expect(await ready([port], 30_000)).toEqual({ missing: [] });
  expect(await ready([port, closed], 1)).toEqual({ missing: [closed] });
});
