import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { API_VERSION } from '../../src/contracts/ipc-message.ts';
import type { CloseReason } from '../../src/ipc/close-reason.ts';
import { encodeFrame } from '../../src/ipc/frame.ts';
import { connectPeer, servePeers } from '../../src/ipc/unix-peers.ts';
import { connect } from '../../src/ipc/unix-socket.ts';
import type { Listener } from '../../src/ipc/unix-socket.ts';
import { HELLO, RawClient, handshakeFrame, lengths, tailedFrame } from './peer-pair.ts';

/** Each attack runs against a live socket beside an honest connection, which must not notice. */
let directory: string;
let listener: Listener;
const handled: unknown[] = [];
const reasons: CloseReason[] = [];
let wakeUp: () => void = () => undefined;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fluffy-ipc-'));
  const note = (reason: CloseReason): void => {
    reasons.push(reason);
    wakeUp();
  };
  listener = await servePeers(join(directory, 'k.sock'), {
    mode: 0o600,
    kernelVersion: '0',
    partialFrameMs: 1_500,
    handshakeMs: 10_000,
    onRefused: note,
    onPeer: (peer) => {
      void peer.closed.then(note);
      peer.onRequest('echo', z.unknown(), (params) => params);
      peer.onRequest('write', z.strictObject({ path: z.string() }), (params) => handled.push(params));
    },
  });
});

afterAll(async () => {
  await listener.close();
  await rm(directory, { recursive: true });
});

async function attack(run: (raw: RawClient) => void): Promise<CloseReason | undefined> {
  const honest = await connectPeer(listener.path, { hello: HELLO });
  reasons.length = 0;
  handled.length = 0;
  const raw = new RawClient(await connect(listener.path));
  const over = Promise.withResolvers<void>();
  wakeUp = over.resolve;
  run(raw);
  await raw.ended;
  await over.promise;
  expect(await honest.request('echo', { still: 'here' })).toEqual({ still: 'here' });
  expect(handled).toEqual([]);
  const reason = reasons[0];
  honest.close();
  await honest.closed;
  return reason;
}

const violation = (rule: string) => ({ kind: 'violation', rule });
const write = { type: 'request', id: '1', method: 'write', params: { path: 'a' } };
const writeText = (params: string) => `{"type":"request","id":"1","method":"write","params":${params}}`;

describe('a hostile program on a sandbox socket loses its own connection and nothing else', () => {
  it.each<[string, (raw: RawClient) => void, string]>([
    ['a length prefix of 2 GiB', (raw) => raw.write(Buffer.from([0x7f, 0xff, 0xff, 0xff])), 'frame too large'],
    ['a length prefix of 4 GiB', (raw) => raw.write(Buffer.alloc(4, 0xff)), 'a tail that was not agreed on'],
    [
      'a tail on a connection of a version without tails',
      (raw) => {
        raw.send(handshakeFrame(1));
        raw.write(tailedFrame({ message: write, texts: [{ at: ['params', 'path'], bytes: 1 }] }, Buffer.from('a')));
      },
      'a tail that was not agreed on',
    ],
    ['an empty frame', (raw) => raw.write(Buffer.alloc(4)), 'empty frame'],
    ['a request before the handshake', (raw) => raw.send(write), 'a first frame that is no handshake'],
    [
      'a request hidden behind a bad handshake',
      (raw) => raw.send({ ...handshakeFrame(), x: 1 }, write),
      'a first frame that is no handshake',
    ],
    ['a depth bomb', (raw) => raw.sendText('['.repeat(4_000_000)), 'a frame with nested too deeply'],
    [
      'a key __proto__',
      (raw) => raw.sendText(writeText('{"path":"a","__proto__":{"x":1}}')),
      'a frame with key __proto__',
    ],
    ['a key twice', (raw) => raw.sendText(writeText('{"path":"a","path":"b"}')), 'a frame with duplicate key'],
    [
      'a key twice, once escaped',
      (raw) => raw.sendText(writeText('{"path":"a","p\\u0061th":"b"}')),
      'a frame with duplicate key',
    ],
    [
      'invalid UTF-8 in a path',
      (raw) => raw.write(Buffer.concat([Buffer.from([0, 0, 0, 4]), Buffer.from([0x22, 0xff, 0xfe, 0x22])])),
      'a frame with invalid UTF-8',
    ],
    ['no JSON at all', (raw) => raw.sendText('GET / HTTP/1.1'), 'a frame with invalid JSON'],
  ])('%s', async (_name, run, rule) => {
    expect(await attack(run)).toEqual(violation(rule));
  });

  it.each<[string, Buffer, string]>([
    ['a tail of 4 GiB', lengths(0x8000_0002, 0xffff_ffff), 'tail too large'],
    ['a tail of nothing', lengths(0x8000_0002, 0), 'empty tail'],
    ['a tail behind nothing', lengths(0x8000_0000, 4), 'empty frame'],
    [
      'a text put through __proto__',
      tailedFrame(
        { message: { ...write, params: {} }, texts: [{ at: ['params', '__proto__', 'path'], bytes: 1 }] },
        Buffer.from('a'),
      ),
      'a frame with a text that has no place',
    ],
    [
      'a text put over a member that was sent',
      tailedFrame({ message: write, texts: [{ at: ['params', 'path'], bytes: 1 }] }, Buffer.from('b')),
      'a frame with a text that has no place',
    ],
    [
      'bytes that no text claims',
      tailedFrame(
        { message: { ...write, params: { path: null } }, texts: [{ at: ['params', 'path'], bytes: 1 }] },
        Buffer.from('ab'),
      ),
      'a frame with a tail longer than its texts',
    ],
    [
      'a text in invalid UTF-8',
      tailedFrame(
        { message: { ...write, params: { path: null } }, texts: [{ at: ['params', 'path'], bytes: 2 }] },
        Buffer.from([0xff, 0xfe]),
      ),
      'a frame with invalid UTF-8',
    ],
    [
      'a tail and no table',
      tailedFrame({ ...write, params: { path: null } }, Buffer.from('a')),
      'a frame with a tail but no table of its texts',
    ],
  ])('%s', async (_name, bytes, rule) => {
    const reason = await attack((raw) => {
      raw.send(handshakeFrame(API_VERSION));
      raw.write(bytes);
    });
    expect(reason).toEqual(violation(rule));
  });

  it('a tail cut off by closing', async () => {
    const head = { message: { ...write, params: { path: null } }, texts: [{ at: ['params', 'path'], bytes: 4 }] };
    const reason = await attack((raw) => {
      raw.send(handshakeFrame(API_VERSION));
      raw.stream.end(tailedFrame(head, Buffer.from('abcd')).subarray(0, -1));
    });
    expect(reason).toEqual(violation('a frame that was cut off'));
  });

  it('a response to no request', async () => {
    const reason = await attack((raw) =>
      raw.send(handshakeFrame(), { type: 'response', id: 'guess', result: { approved: true } }, write),
    );
    expect(reason).toEqual(violation('a response to no request'));
  });

  it('a slow drip that never completes its frame', async () => {
    const frame = encodeFrame(handshakeFrame());
    let drip: NodeJS.Timeout | undefined;
    const reason = await attack((raw) => {
      let sent = 0;
      drip = setInterval(() => {
        if (sent < frame.length - 1) raw.write(frame.subarray(sent, ++sent));
      }, 5);
    });
    clearInterval(drip);
    expect(reason).toEqual(violation('a frame that was not completed in time'));
  });

  it('a frame cut off by closing', async () => {
    const reason = await attack((raw) => raw.stream.end(encodeFrame(handshakeFrame()).subarray(0, 20)));
    expect(reason).toEqual(violation('a frame that was cut off'));
  });
});

describe('an honest program', () => {
  it('is understood when its frames come split at every byte and merged again', async () => {
    const bytes = Buffer.concat(
      [handshakeFrame(), { ...write, method: 'echo', params: 'ü' }].map((value) => encodeFrame(value)),
    );
    for (const cut of [1, 3, 4, 5, bytes.length - 2]) {
      const socket = await connect(listener.path);
      const raw = new RawClient(socket);
      socket.write(bytes.subarray(0, cut));
      socket.write(bytes.subarray(cut));
      expect((await raw.waitFor(2))[1]).toEqual({ type: 'response', id: '1', result: 'ü' });
      socket.destroy();
    }
  });
});

it('a second connection to a sandbox socket is never heard, not even after the first has gone', async () => {
  const names: string[] = [];
  const path = join(directory, 'one.sock');
  const single = await servePeers(path, {
    mode: 0o600,
    kernelVersion: '0',
    maxConnections: 1,
    maxTotal: 1,
    onPeer: (_peer, hello) => names.push(hello.plugin_name),
  });
  const early = [connect(path), connect(path), connect(path)].map((socket) => socket.catch(() => null));
  const [first, ...others] = await Promise.all(early);
  if (first === null || first === undefined) throw new Error('the first connection was refused');
  const raw = new RawClient(first);
  raw.send({ ...handshakeFrame(), plugin_name: 'first' });
  await raw.waitFor(1);
  for (const other of others) {
    if (other === null || other.destroyed) continue;
    other.write(encodeFrame({ ...handshakeFrame(), plugin_name: 'impostor' }));
    other.resume();
    await once(other, 'close');
  }
  first.destroy();
  await expect(connectPeer(path, { hello: { ...HELLO, plugin_name: 'successor' } })).rejects.toMatchObject({
    code: 'socket_unreachable',
  });
  await single.close();
  expect(names).toEqual(['first']);
});
