import { connect } from 'node:tls';
import { Duplex } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readClientHello } from '../../../src/host/egress-gate/client-hello.ts';

/** The first bytes that Node's own TLS client sends. */
async function helloOf(servername: string): Promise<Buffer> {
  return await new Promise((resolve) => {
    const wire = new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _encoding, done) => {
        resolve(Buffer.from(chunk));
        done();
      },
    });
    const socket = connect({ socket: wire, servername, rejectUnauthorized: false });
    socket.on('error', () => undefined);
  });
}

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const extension = (type: number, body: Buffer): Buffer => Buffer.concat([uint16(type), uint16(body.length), body]);

function serverName(...names: string[]): Buffer {
  const entries = names.map((name) =>
    Buffer.concat([Buffer.from([0]), uint16(name.length), Buffer.from(name, 'latin1')]),
  );
  const list = Buffer.concat(entries);
  return extension(0, Buffer.concat([uint16(list.length), list]));
}

function handshake(...extensions: Buffer[]): Buffer {
  const all = Buffer.concat(extensions);
  const body = Buffer.concat([
    uint16(0x0303),
    Buffer.alloc(32),
    Buffer.from([0]),
    Buffer.from([0, 2, 0x13, 0x01]),
    Buffer.from([1, 0]),
    uint16(all.length),
    all,
  ]);
  return Buffer.concat([Buffer.from([1, 0]), uint16(body.length), body]);
}

const record = (payload: Buffer, type = 22): Buffer =>
  Buffer.concat([Buffer.from([type, 3, 1]), uint16(payload.length), payload]);

describe('readClientHello', () => {
  test("reads the server name out of Node's own hello", async () => {
    expect(readClientHello(await helloOf('api.example.com'))).toEqual({ kind: 'hello', serverName: 'api.example.com' });
  });

  test('sees that no name is sent', async () => {
    expect(readClientHello(await helloOf(''))).toEqual({ kind: 'hello', serverName: null });
  });

  test('waits for every byte of a hello', async () => {
    const hello = await helloOf('api.example.com');
    for (let length = 0; length < hello.length; length += 1) {
      expect(readClientHello(hello.subarray(0, length)).kind, `${length} bytes`).toBe('incomplete');
    }
  });

  test('reads a hello that is spread over records of one byte', () => {
    const message = handshake(serverName('ok.com'));
    const records = [...message].map((byte) => record(Buffer.from([byte])));
    expect(readClientHello(Buffer.concat(records))).toEqual({ kind: 'hello', serverName: 'ok.com' });
  });

  test.each([
    ['plain HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['SSH', Buffer.from('SSH-2.0-x\r\n')],
    ['an alert', record(Buffer.from([2, 40]), 21)],
    ['another handshake message', record(Buffer.from([2, 0, 0, 0]))],
    ['an empty record', record(Buffer.alloc(0))],
    ['a message announced as huge', record(Buffer.from([1, 255, 255, 255]))],
    ['an encrypted hello', record(handshake(serverName('ok.com'), extension(0xfe0d, Buffer.alloc(4))))],
    ['two server names', record(handshake(serverName('ok.com', 'evil.com')))],
    ['the extension twice', record(handshake(serverName('ok.com'), serverName('evil.com')))],
    ['NUL in the name', record(handshake(serverName('ok.com\0.evil.com')))],
    ['an empty name', record(handshake(serverName('')))],
    ['an extension that runs over', record(handshake(Buffer.from([0, 0, 255, 255, 1])))],
  ])('refuses %s', (_what, bytes) => {
    expect(readClientHello(bytes).kind).toBe('refused');
  });
});
