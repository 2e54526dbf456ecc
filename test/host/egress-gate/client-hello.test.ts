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

  test('reads only the handshake when something else follows it in the same read', () => {
    const bytes = Buffer.concat([record(handshake(serverName('ok.com'))), record(Buffer.from([1]), 20)]);
    expect(readClientHello(bytes)).toEqual({ kind: 'hello', serverName: 'ok.com' });
  });

  test('takes a hello without extensions for one without a name', () => {
    const body = Buffer.concat([uint16(0x0303), Buffer.alloc(32), Buffer.from([0, 0, 2, 0x13, 0x01, 1, 0])]);
    const message = Buffer.concat([Buffer.from([1, 0]), uint16(body.length), body]);
    expect(readClientHello(record(message))).toEqual({ kind: 'hello', serverName: null });
  });

  const noHandshake = 'bytes that are no TLS handshake';
  const badName = 'a malformed server name';
  const malformed = 'a malformed ClientHello';
  const tooLong = 'a ClientHello that is too long';

  test.each([
    ['plain HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n'), noHandshake],
    ['SSH', Buffer.from('SSH-2.0-x\r\n'), noHandshake],
    ['an alert', record(Buffer.from([2, 40]), 21), noHandshake],
    ['a record of another protocol version', Buffer.from([22, 9]), noHandshake],
    ['another handshake message', record(Buffer.from([2, 0, 0, 0])), 'the first TLS message is no ClientHello'],
    ['an empty record', record(Buffer.alloc(0)), 'a TLS record of impossible length'],
    ['a record larger than TLS permits', Buffer.from([22, 3, 1, 64, 1]), 'a TLS record of impossible length'],
    ['a message announced as huge', record(Buffer.from([1, 255, 255, 255])), tooLong],
    ['a hello that is cut off', record(Buffer.from([1, 0, 0, 4, 3, 3, 0, 0])), malformed],
    [
      'an encrypted hello',
      record(handshake(serverName('ok.com'), extension(0xfe0d, Buffer.alloc(4)))),
      'an encrypted ClientHello',
    ],
    ['two server names', record(handshake(serverName('ok.com', 'evil.com'))), badName],
    ['the extension twice', record(handshake(serverName('ok.com'), serverName('evil.com'))), malformed],
    ['NUL in the name', record(handshake(serverName('ok.com\0.evil.com'))), badName],
    ['an empty name', record(handshake(serverName(''))), badName],
    ['an extension that runs over', record(handshake(Buffer.from([0, 0, 255, 255, 1]))), malformed],
  ])('refuses %s', (_what, bytes, reason) => {
    expect(readClientHello(bytes)).toEqual({ kind: 'refused', reason });
  });
});
