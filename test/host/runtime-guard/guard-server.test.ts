import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FluffyError } from '../../../src/contracts/fluffy-error.ts';
import type { BoundedLog } from '../../../src/host/runtime-guard/bounded-log.ts';
import { createGuardServer, type GuardReply } from '../../../src/host/runtime-guard/guard-server.ts';

/**
 * From the position of a taken-over L1: raw bytes on the guard's socket. What counts is which calls reach the guard's own code.
 */
let root: string;
let server: Server;
let handled: string[];
let logged: unknown[];
let reply: GuardReply | Error;
beforeEach(async () => {
  root = await mkdtemp('/tmp/fluffy-guard-http-');
  handled = [];
  logged = [];
  reply = { kind: 'text', text: 'OK' };
  await listen(400);
});
afterEach(async () => {
  hangUp();
  await rm(root, { recursive: true, force: true });
});

/** A request has to be there whole within the time given. */
async function listen(deadlineMs: number): Promise<void> {
  const log: BoundedLog = { write: (entry) => void logged.push(entry), flush: () => Promise.resolve() };
  server = createGuardServer(
    ({ call }, body) => {
      handled.push(`${call.kind} ${JSON.stringify(body)}`);
      return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply);
    },
    log,
    deadlineMs,
  );
  await new Promise<void>((resolve) => server.listen(join(root, 'guard.sock'), resolve));
}

function hangUp(): void {
  server.closeAllConnections();
  server.close();
}

/** Sends pieces; resolves with everything that came back when the guard has hung up. */
function send(...pieces: readonly (string | Buffer)[]): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(join(root, 'guard.sock'));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    for (const piece of pieces) socket.write(piece);
  });
}

const PING = 'GET /_ping HTTP/1.1\r\nHost: x\r\n\r\n';
const post = (body: string, headers = `Content-Length: ${Buffer.byteLength(body)}`): string =>
  `POST /containers/create HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`;

const attest = (body: string): string =>
  `POST /fluffy/attest HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const large = (bytes: number): string => JSON.stringify({ a: 'x'.repeat(bytes) });

describe('only evidence may be large', () => {
  test('to its own limit', async () => {
    // Megabytes take a busy machine longer than a test of the deadline may.
    hangUp();
    await rm(join(root, 'guard.sock'), { force: true });
    await listen(30_000);
    expect(await send(attest(large(2_500_000)))).toContain('HTTP/1.1 200');
    expect(await send(attest(large(3_500_000)))).not.toContain('HTTP/1.1 200');
    expect(await send(post(large(100_000)))).not.toContain('HTTP/1.1 200');
    expect(handled.map((call) => call.slice(0, 6))).toEqual(['attest']);
  });

  test('and only so much of it at once', async () => {
    const head = 'POST /fluffy/attest HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n{';
    const held = Array.from({ length: 4 }, () => send(head));
    await expect.poll(() => connectionsOf(server)).toBe(4);
    expect(await send(attest('{}'))).toContain('too many of these at once');
    expect(await send(PING)).toContain('HTTP/1.1 200');
    await Promise.all(held);
    expect(await send(attest('{}'))).toContain('HTTP/1.1 200');
  });

  const connectionsOf = (of: Server): Promise<number> =>
    new Promise((resolve) => of.getConnections((_error, count) => resolve(count)));
});

test('an ordinary call is answered, and the connection closed', async () => {
  expect(await send(PING)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Connection: close[^]*OK/);
  expect(handled).toEqual(['ping {}']);
});

describe('one connection carries one call', () => {
  test('a second one behind it is not handled', async () => {
    const answers = await send(PING + post('{"sandbox":1}') + PING);
    expect(handled).toEqual(['ping {}']);
    expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(1);
  });

  test('one hidden in the body of another is its body', async () => {
    await send(post(PING));
    expect(handled).toEqual([]);
  });

  test.each([
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 40'],
    ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked'],
    ['an unknown coding', 'Transfer-Encoding: gzip, chunked'],
    ['a negative length', 'Content-Length: -1'],
    ['a folded header', 'X: a\r\n b\r\nContent-Length: 2'],
    ['a bare line feed', 'X: a\nContent-Length: 2'],
  ])('%s', async (_name, headers) => {
    await send(post(`{}${PING}`, headers));
    expect(handled.filter((call) => call.startsWith('ping'))).toEqual([]);
  });
});

describe('is refused', () => {
  test('a body of more than 64 KiB, announced or in chunks', async () => {
    const large = `{"x":"${'y'.repeat(70 * 1024)}"}`;
    expect(await send(post(large))).toContain('403');
    const chunk = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;
    expect(await send(post(chunk, 'Transfer-Encoding: chunked'))).toContain('403');
    expect(handled).toEqual([]);
  });

  test('a head of more than 8 KiB', async () => {
    expect(await send(`GET /_ping HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(9000)}\r\n\r\n`)).not.toContain('200');
    expect(handled).toEqual([]);
  });

  test.each([
    ['CONNECT', 'CONNECT /containers HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an upgrade', 'POST /containers/create HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['bytes that are no HTTP', '\u0016\u0003\u0001\r\n\r\n'],
    ['Expect', post('{}', 'Content-Length: 2\r\nExpect: 200-ok')],
    ['an absolute target', 'GET http://engine/_ping HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an unknown path', 'GET /info HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a body that is no object', post('[]')],
    ['a body that is null', post('null')],
    ['a body that is no JSON', post('{"sandbox":')],
    ['a body where none belongs', 'POST /fluffy HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}'],
  ])('%s', async (_name, bytes) => {
    expect(await send(bytes)).not.toContain('200 OK');
    expect(handled).toEqual([]);
    expect(logged).toHaveLength(1);
  });

  test('a body that says more than the query it repeats', async () => {
    const id = 'a'.repeat(64);
    const kill = (query: string, body: string): string =>
      `POST /containers/${id}/stop${query} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(await send(kill('?t=1', '{"t":1}'))).toContain('200');
    expect(await send(kill('?t=1', '{"t":2}'))).toContain('403');
    expect(await send(kill('', '{"t":1}'))).toContain('403');
    expect(await send(kill('?t=1', '{"__proto__":{"t":1}}'))).toContain('403');
    expect(handled).toHaveLength(1);
  });
});

describe('a caller that is slow', () => {
  test.each([
    ['with its head', 'GET /_ping HTT'],
    ['with its body', 'POST /containers/create HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"a'],
    ['with its first byte', ''],
  ])('%s is hung up on', async (_name, bytes) => {
    const answer = await send(...(bytes === '' ? [] : [bytes]));
    expect(answer).not.toContain('200 OK');
    expect(handled).toEqual([]);
  });

  test('others are served meanwhile', async () => {
    const slow = Array.from({ length: 50 }, () => send('GET /_p'));
    expect(await send(PING)).toContain('200 OK');
    await Promise.all(slow);
  });
});

test('an answer stops at its bound', async () => {
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(10_000, 'x');
    })(),
  );
  reply = { kind: 'stream', body: endless, contentType: 'text/plain', maxBytes: 50_000 };
  const answer = await send(PING);
  expect(answer.length).toBeGreaterThan(40_000);
  expect(answer.length).toBeLessThan(52_000);
  expect(endless.destroyed).toBe(true);
});

test('an error for the person is told in all its parts, with files of the home directory and no other path, and logged with them', async () => {
  reply = new FluffyError({
    code: 'key_file_unsafe',
    what: `The key file ${homedir()}/keys/openai is not safe to use`,
    why: 'others can read it, and /srv/keys',
    fix: `Run chmod 600 ${homedir()}/keys/openai`,
    exitCode: 2,
  });
  const answer = await send(PING);
  expect(answer).toContain('HTTP/1.1 500');
  const told = {
    message: 'The key file ~/keys/openai is not safe to use: others can read it, and <path>',
    error: {
      code: 'key_file_unsafe',
      what: 'The key file ~/keys/openai is not safe to use',
      why: 'others can read it, and <path>',
      fix: 'Run chmod 600 ~/keys/openai',
      exit_code: 2,
    },
  };
  expect(answer).toContain(JSON.stringify(told));
  expect(logged).toMatchObject([{ event: 'failed', reason: expect.stringContaining(homedir()) as string }]);
});

test('any other error says nothing to L1', async () => {
  reply = new Error('secret in /srv');
  expect(await send(PING)).toContain('{"message":"the guard could not do this"}');
  expect(logged).toMatchObject([{ event: 'failed', reason: 'secret in /srv' }]);
});

test('an engine’s error is told without paths of the host, and logged with them', async () => {
  reply = { kind: 'engine-error', status: 500, body: { message: 'mount /var/lib/docker/x failed' } };
  expect(await send(PING)).toContain('{"message":"mount <path> failed"}');
  expect(logged).toMatchObject([{ event: 'engine-error', reason: 'mount /var/lib/docker/x failed' }]);
});
