import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { connect as tlsConnect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EgressEvent, EgressGate, EgressGateOptions } from '../../../src/host/egress-gate/index.ts';
import { openEgressGate, parseHostRule } from '../../../src/host/egress-gate/index.ts';

/** A server on loopback that keeps everything it is sent: what counts is which bytes left, not what the gate said. */
interface Target {
  readonly port: number;
  readonly server: Server;
  readonly received: Buffer[];
  connections: number;
}

let directory: string;
let target: Target;
let gates: EgressGate[];
let events: EgressEvent[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fluffy-egress-'));
  target = await listenForBytes();
  gates = [];
  events = [];
});

/** After it, everything has been reported. */
async function closeGates(): Promise<void> {
  await Promise.all(gates.splice(0).map((gate) => gate.close()));
}

afterEach(async () => {
  await closeGates();
  await new Promise((resolve) => target.server.close(resolve));
  await rm(directory, { recursive: true });
});

async function listenForBytes(): Promise<Target> {
  const received: Buffer[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    target.connections += 1;
    socket.on('data', (chunk) => received.push(chunk)).on('error', () => undefined);
    socket.on('end', () => socket.end('bye'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, server, received, connections: 0 };
}

function rule(text: string, reach?: 'private') {
  const result = parseHostRule(text, reach);
  if (result.kind === 'invalid') throw new Error(result.reason);
  return result.rule;
}

async function openGate(options: Partial<EgressGateOptions>): Promise<string> {
  const socketPath = join(directory, `gate-${gates.length}.sock`);
  gates.push(
    await openEgressGate({
      socketPath,
      allow: [],
      onDecision: (event) => events.push(event),
      resolve: () => Promise.reject(new Error('no name is resolved in this test')),
      ...options,
    }),
  );
  return socketPath;
}

/** Every dial ends at the target, whatever address was vetted: the addresses of the tests are nobody's. */
const dialTarget = (dialled: string[]) => (addresses: readonly string[]) => {
  dialled.push(...addresses);
  return connect({ port: target.port, host: '127.0.0.1', allowHalfOpen: true });
};

/** Sends bytes, ends, and returns all that came back. */
async function send(socketPath: string, bytes: string | Buffer): Promise<string> {
  const socket = connect({ path: socketPath, allowHalfOpen: true });
  socket.end(bytes);
  return await readAll(socket);
}

async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => undefined);
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString('latin1');
}

const connectTo = (authority: string): string => `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`;

async function clientHello(servername: string): Promise<Buffer> {
  return await new Promise((resolve) => {
    const wire = new Duplex({ read: () => undefined, write: (chunk: Buffer) => resolve(Buffer.from(chunk)) });
    tlsConnect({ socket: wire, servername }).on('error', () => undefined);
  });
}

describe('what is listed gets through', () => {
  test('a model on the loopback, named as host:port, with bytes sent ahead of the answer', async () => {
    const gate = await openGate({ allow: [rule(`127.0.0.1:${target.port}`)] });
    const answer = await send(gate, `${connectTo(`127.0.0.1:${target.port}`)}early bytes`);
    expect(answer).toBe('HTTP/1.1 200 Connection Established\r\n\r\nbye');
    expect(Buffer.concat(target.received).toString()).toBe('early bytes');
    await closeGates();
    expect(events).toMatchObject([
      { kind: 'allowed', host: '127.0.0.1', address: '127.0.0.1' },
      { kind: 'closed', sentBytes: 11, receivedBytes: 3 },
    ]);
  });

  test('localhost without asking the resolver', async () => {
    const gate = await openGate({ allow: [rule(`localhost:${target.port}`)] });
    await send(gate, `${connectTo(`LOCALHOST:${target.port}`)}hello`);
    expect(Buffer.concat(target.received).toString()).toBe('hello');
  });

  test('a name over TLS, at the very addresses that were vetted, resolved once', async () => {
    const dialled: string[] = [];
    let asked = 0;
    const gate = await openGate({
      allow: [rule('ok.com:443')],
      // The second answer is what a rebinding attacker would give.
      resolve: () => Promise.resolve(asked++ === 0 ? ['93.184.215.14'] : ['127.0.0.1']),
      dial: dialTarget(dialled),
    });
    const hello = await clientHello('ok.com');
    await send(gate, Buffer.concat([Buffer.from(connectTo('ok.com:443')), hello]));
    expect({ asked, dialled }).toEqual({ asked: 1, dialled: ['93.184.215.14'] });
    expect(Buffer.concat(target.received)).toEqual(hello);
  });

  test('a large answer to a slow reader, whole', async () => {
    const size = 8 * 1024 * 1024;
    const source = createServer((socket) => void socket.end(Buffer.alloc(size, 'x')));
    await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
    const authority = `127.0.0.1:${(source.address() as AddressInfo).port}`;
    const gate = await openGate({ allow: [rule(authority)] });
    const socket = connect({ path: gate, allowHalfOpen: true });
    socket.write(connectTo(authority));
    let received = 0;
    for await (const chunk of socket) {
      received += (chunk as Buffer).length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    source.close();
    expect(received).toBe(size + 'HTTP/1.1 200 Connection Established\r\n\r\n'.length);
  });
});

describe('nothing reaches a host that is not listed', () => {
  test.each([
    ['an empty list', []],
    ['another port', ['127.0.0.1:1']],
    ['another spelling of the host', ['localhost:PORT']],
    ['a wildcard that the address ends like', ['*.0.0.1x:PORT']],
  ])('%s', async (_what, listed) => {
    const allow = listed.map((text) => ({
      host: text.split(':')[0] ?? '',
      port: Number(text.split(':')[1]?.replace('PORT', String(target.port))),
      reach: 'public' as const,
    }));
    const gate = await openGate({ allow });
    const answer = await send(gate, `${connectTo(`127.0.0.1:${target.port}`)}secret`);
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(target).toMatchObject({ connections: 0, received: [] });
    expect(events).toMatchObject([{ kind: 'refused' }]);
  });

  test.each([
    '0x7f000001',
    '2130706433',
    '127.1',
    '0177.0.0.1',
    '[::ffff:127.0.0.1]',
    '127.0.0.1.',
    '127.0.0.1%00.ok.com',
    '[::1%25lo]',
    'x@127.0.0.1',
  ])('an address spelt %s, though that address is listed', async (host) => {
    const gate = await openGate({ allow: [rule(`127.0.0.1:${target.port}`), rule(`[::1]:${target.port}`)] });
    expect(await send(gate, connectTo(`${host}:${target.port}`))).toMatch(/^HTTP\/1\.1 403 /);
    expect(target.connections).toBe(0);
  });

  test.each(['ok.com.evil', 'evilok.com', 'evil\0.ok.com', 'ok.com.', 'ok.com\t', 'xok.com'])(
    'a name spelt %j, though ok.com is listed',
    async (host) => {
      const dialled: string[] = [];
      const gate = await openGate({
        allow: [rule('ok.com:443')],
        dial: dialTarget(dialled),
        resolve: () => Promise.resolve(['93.184.215.14']),
      });
      expect(await send(gate, connectTo(`${host}:443`))).toMatch(/^HTTP\/1\.1 403 /);
      expect(dialled).toEqual([]);
    },
  );
});

describe('a listed name does not lead inside', () => {
  test.each([
    ['loopback', ['127.0.0.1']],
    ['the metadata service', ['169.254.169.254']],
    ['a private network', ['10.0.0.7']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['one bad answer among good ones', ['93.184.215.14', '127.0.0.1']],
    ['nowhere', []],
  ])('%s', async (_what, answers) => {
    const dialled: string[] = [];
    const gate = await openGate({
      allow: [rule('ok.com:443')],
      resolve: () => Promise.resolve(answers),
      dial: dialTarget(dialled),
    });
    expect(await send(gate, connectTo('ok.com:443'))).toMatch(/^HTTP\/1\.1 403 /);
    expect(dialled).toEqual([]);
  });
});

describe('no byte leaves before the TLS name is known to be the target', () => {
  test.each([
    ['plain HTTP', () => Promise.resolve(Buffer.from('GET / HTTP/1.1\r\nHost: evil.com\r\n\r\n'))],
    ['the name of another host', () => clientHello('evil.com')],
    ['no name', () => clientHello('')],
    ['half a hello', async () => (await clientHello('ok.com')).subarray(0, 40)],
  ])('%s', async (_what, first) => {
    const gate = await openGate({
      allow: [rule('ok.com:443')],
      resolve: () => Promise.resolve(['93.184.215.14']),
      dial: dialTarget([]),
    });
    await send(gate, Buffer.concat([Buffer.from(connectTo('ok.com:443')), await first()]));
    expect(Buffer.concat(target.received).length).toBe(0);
    expect(events).toMatchObject([{ kind: 'refused', target: 'ok.com:443' }]);
  });
});

describe('a listed host that is not there is reported as unreachable', () => {
  const refusedPort = 1;

  test('a name that does not resolve', async () => {
    const gate = await openGate({
      allow: [rule('ok.com:443')],
      resolve: () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })),
      dial: dialTarget([]),
    });
    const reason = 'its name cannot be resolved (ENOTFOUND)';
    expect(await send(gate, connectTo('ok.com:443'))).toMatch(/^HTTP\/1\.1 502 /);
    expect(events).toEqual([{ kind: 'unreachable', host: 'ok.com', port: 443, reason }]);
    expect(target.connections).toBe(0);
  });

  test('an address where nothing listens', async () => {
    const gate = await openGate({ allow: [rule(`127.0.0.1:${refusedPort}`)] });
    const answer = await send(gate, connectTo(`127.0.0.1:${refusedPort}`));
    expect(answer).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\nX-Fluffy-Egress: ECONNREFUSED\r\n/);
    expect(events).toEqual([{ kind: 'unreachable', host: '127.0.0.1', port: refusedPort, reason: 'ECONNREFUSED' }]);
  });
});

describe('one connection is one tunnel', () => {
  test('a second request behind a refused one is not looked at', async () => {
    const good = connectTo(`127.0.0.1:${target.port}`);
    const gate = await openGate({ allow: [rule(`127.0.0.1:${target.port}`)] });
    const answer = await send(gate, `${connectTo('evil.com:443')}${good}secret`);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(target.connections).toBe(0);
  });

  test.each([
    'GET http://127.0.0.1:PORT/ HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n',
    'POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n',
  ])('there is no plain proxying: %j', async (request) => {
    const gate = await openGate({ allow: [rule(`127.0.0.1:${target.port}`)] });
    expect(await send(gate, request.replaceAll('PORT', String(target.port)))).toMatch(/^HTTP\/1\.1 403 /);
    expect(target.connections).toBe(0);
  });
});

describe('the gate cannot be worn out', () => {
  test('a head that never ends is given up in time', async () => {
    const gate = await openGate({ allow: [rule(`127.0.0.1:${target.port}`)], limits: { headTimeoutMs: 50 } });
    const socket = connect(gate);
    socket.write('CONNECT 127');
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 403 /);
  });

  test('a client that leaves without a request is let go, and is no event', async () => {
    const gate = await openGate({ allow: [rule(`127.0.0.1:${target.port}`)] });
    expect(await send(gate, '')).toBe('');
    await closeGates();
    expect(events).toEqual([]);
  });

  test('a TLS handshake that never comes is given up in time', async () => {
    const gate = await openGate({
      allow: [rule('ok.com:443')],
      resolve: () => Promise.resolve(['93.184.215.14']),
      dial: dialTarget([]),
      limits: { headTimeoutMs: 50 },
    });
    const socket = connect(gate);
    socket.write(connectTo('ok.com:443'));
    await readAll(socket);
    expect(events).toEqual([{ kind: 'refused', target: 'ok.com:443', reason: 'no TLS handshake in time' }]);
  });

  test('a tunnel without traffic is ended', async () => {
    const gate = await openGate({ allow: [rule(`127.0.0.1:${target.port}`)], limits: { idleTimeoutMs: 50 } });
    const socket = connect(gate);
    socket.write(connectTo(`127.0.0.1:${target.port}`));
    await readAll(socket);
    await closeGates();
    expect(events.at(-1)).toMatchObject({ kind: 'closed' });
  });

  test('a thousand refusals are not a thousand lines in the log', async () => {
    const gate = await openGate({ limits: { maxConnections: 2_000 } });
    for (let batch = 0; batch < 10; batch += 1) {
      await Promise.all(Array.from({ length: 100 }, () => send(gate, connectTo('evil.com:443'))));
    }
    await closeGates();
    expect(events.filter(({ kind }) => kind === 'refused')).toHaveLength(200);
    expect(events.at(-1)).toEqual({ kind: 'suppressed', count: 800 });
  });

  test('what a sandbox asked for is printable and short in the log', async () => {
    const gate = await openGate({});
    await send(gate, `CONNECT \x1b]0;owned\x07${'a'.repeat(2_000)}:443 HTTP/1.1\r\n\r\n`);
    const [event] = events;
    expect(event?.kind === 'refused' && event.target).toMatch(/^[!-~]{1,260}$/);
  });

  test('closing it ends open tunnels', async () => {
    const gate = await openGate({ allow: [rule(`127.0.0.1:${target.port}`)] });
    const socket = connect(gate);
    socket.write(connectTo(`127.0.0.1:${target.port}`));
    await new Promise((resolve) => socket.once('data', resolve));
    const ended = readAll(socket);
    await closeGates();
    await ended;
    await expect(send(gate, 'x')).resolves.toBe('');
  });
});
