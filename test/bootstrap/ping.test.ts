import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ping } from '../../src/bootstrap/ping.ts';
import { servePeers } from '../../src/ipc/index.ts';

let root: string;
let server: Server | undefined;
const sockets = new Set<Socket>();
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'fluffy-ping-'));
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  server?.close();
  server = undefined;
  await rm(root, { recursive: true, force: true });
});

const path = (): string => join(root, 'cli.sock');
const frame = (value: unknown): Buffer => {
  const payload = Buffer.from(JSON.stringify(value));
  const header = Buffer.alloc(4);
  header.writeUInt32BE(payload.length);
  return Buffer.concat([header, payload]);
};

/** A kernel that answers each connection with these bytes, whatever it is told. */
async function kernelSaying(...answers: readonly Buffer[]): Promise<void> {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    for (const answer of answers) socket.write(answer);
  });
  await new Promise<void>((resolve) => server?.listen(path(), resolve));
}

const ACK = frame({ type: 'handshake_ack' });
const PONG = { type: 'response', id: 'ping', result: { pid: 7, sessions: 2 } };

test('speaks the protocol that the kernel speaks', async () => {
  const listener = await servePeers(path(), {
    mode: 0o600,
    kernelVersion: 'test',
    onPeer: (peer) => peer.onRequest('kernel.ping', z.strictObject({}), () => ({ pid: 1, sessions: 0 })),
  });
  expect(await ping(path(), 5_000)).toEqual({ pid: 1, sessions: 0 });
  await listener.close();
});

test('takes answers in pieces, and several in one', async () => {
  const pong = frame(PONG);
  await kernelSaying(ACK.subarray(0, 2), Buffer.concat([ACK.subarray(2), pong.subarray(0, 5)]), pong.subarray(5));
  expect(await ping(path(), 5_000)).toEqual({ pid: 7, sessions: 2 });
});

describe('gives no pong', () => {
  test.each([
    ['refuses the handshake', [frame({ type: 'handshake_reject', reason: 'no' })], 'refused the handshake'],
    ['announces an endless frame', [Buffer.from('ffffffff', 'hex'), Buffer.alloc(70_000)], 'oversized frame'],
    ['answers something else', [ACK, frame({ type: 'response', id: 'other', result: {} })], 'no pong'],
    ['answers an error', [ACK, frame({ type: 'response', id: 'ping', error: {} })], 'no pong'],
    ['answers null', [ACK, frame(null)], 'no pong'],
    ['sends no JSON', [ACK, Buffer.from('00000001ff', 'hex')], 'JSON'],
    ['says nothing', [], 'no pong in 50 ms'],
    ['drips', [Buffer.from('00', 'hex')], 'no pong in 50 ms'],
  ])('a kernel that %s', async (_name, answers, message) => {
    await kernelSaying(...answers);
    await expect(ping(path(), message.includes('50 ms') ? 50 : 5_000)).rejects.toThrow(message);
  });

  test('a kernel that is not there', async () => {
    await expect(ping(path(), 5_000)).rejects.toThrow('ENOENT');
  });
});
