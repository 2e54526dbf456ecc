import { describe, expect, test } from 'vitest';
import { readConnectRequest } from '../../../src/host/egress-gate/connect-request.ts';

const read = (text: string) => readConnectRequest(Buffer.from(text, 'latin1'));

describe('readConnectRequest', () => {
  test('reads a target and says where the tunnel bytes begin', () => {
    const head = 'CONNECT ok.com:443 HTTP/1.1\r\nHost: ok.com:443\r\nUser-Agent: x y\r\n\r\n';
    expect(read(`${head}early`)).toEqual({ kind: 'connect', host: 'ok.com', port: 443, headBytes: head.length });
  });

  test('reads an IPv6 target', () => {
    expect(read('CONNECT [::1]:80 HTTP/1.1\r\n\r\n')).toMatchObject({ kind: 'connect', host: '::1', port: 80 });
  });

  test('waits for every byte of a head and for no byte more', () => {
    const head = 'CONNECT ok.com:443 HTTP/1.1\r\nHost: ok.com:443\r\n\r\n';
    for (let length = 0; length < head.length; length += 1) {
      expect(read(head.slice(0, length)).kind, `${length} bytes`).toBe('incomplete');
    }
    expect(read(head).kind).toBe('connect');
  });

  const noConnect = 'not a CONNECT request';
  const noTarget = 'a target that is not host:port';
  const badHeader = 'a malformed header';
  const otherHost = 'a Host header unlike the target';
  const body = 'a body on a CONNECT request';
  const tooLong = 'a request head that is too long';

  test.each([
    ['a plain proxy request', 'GET http://ok.com/ HTTP/1.1\r\nHost: ok.com\r\n\r\n', noConnect],
    ['a lower-case method', 'connect ok.com:443 HTTP/1.1\r\n\r\n', noConnect],
    ['HTTP/2', 'CONNECT ok.com:443 HTTP/2\r\n\r\n', noConnect],
    ['two spaces', 'CONNECT  ok.com:443 HTTP/1.1\r\n\r\n', noConnect],
    ['no version', 'CONNECT ok.com:443\r\n\r\n', noConnect],
    ['a URL as target', 'CONNECT http://ok.com:443 HTTP/1.1\r\n\r\n', noTarget],
    ['a path', 'CONNECT ok.com:443/x HTTP/1.1\r\n\r\n', noTarget],
    ['userinfo', 'CONNECT ok.com:443@evil.com:443 HTTP/1.1\r\n\r\n', noTarget],
    ['userinfo before the host', 'CONNECT user:pw@ok.com:443 HTTP/1.1\r\n\r\n', noTarget],
    ['no port', 'CONNECT ok.com HTTP/1.1\r\n\r\n', noTarget],
    ['two ports', 'CONNECT ok.com:443:80 HTTP/1.1\r\n\r\n', noTarget],
    ['a signed port', 'CONNECT ok.com:+443 HTTP/1.1\r\n\r\n', noTarget],
    ['a port with spaces', 'CONNECT ok.com: 443 HTTP/1.1\r\n\r\n', noConnect],
    ['an octal address', 'CONNECT 0177.0.0.1:443 HTTP/1.1\r\n\r\n', 'a number that resolvers read as an address'],
    ['NUL in the host', 'CONNECT evil\0.ok.com:443 HTTP/1.1\r\n\r\n', noConnect],
    ['a raw high byte', 'CONNECT \xe9vil.com:443 HTTP/1.1\r\n\r\n', noConnect],
    ['bare line feeds', 'CONNECT ok.com:443 HTTP/1.1\nHost: evil.com:443\r\n\r\n', noConnect],
    ['a folded header', 'CONNECT ok.com:443 HTTP/1.1\r\nX: a\r\n b\r\n\r\n', badHeader],
    ['a header name with a space', 'CONNECT ok.com:443 HTTP/1.1\r\nHost : ok.com:443\r\n\r\n', badHeader],
    ['a header without a colon', 'CONNECT ok.com:443 HTTP/1.1\r\nnonsense\r\n\r\n', badHeader],
    ['a carriage return in a header', 'CONNECT ok.com:443 HTTP/1.1\r\nX: a\rb\r\n\r\n', badHeader],
    ['another Host', 'CONNECT ok.com:443 HTTP/1.1\r\nHost: evil.com:443\r\n\r\n', otherHost],
    ['a Host without the port', 'CONNECT ok.com:443 HTTP/1.1\r\nHost: ok.com\r\n\r\n', otherHost],
    ['two Hosts', 'CONNECT ok.com:443 HTTP/1.1\r\nHost: ok.com:443\r\nHost: ok.com:443\r\n\r\n', otherHost],
    ['a body by length', 'CONNECT ok.com:443 HTTP/1.1\r\nContent-Length: 4\r\n\r\nabcd', body],
    ['a chunked body', 'CONNECT ok.com:443 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', body],
    ['a head without end', `CONNECT ok.com:443 HTTP/1.1\r\nX: ${'a'.repeat(9_000)}`, tooLong],
    ['a head that is too long', `CONNECT ok.com:443 HTTP/1.1\r\nX: ${'a'.repeat(9_000)}\r\n\r\n`, tooLong],
    ['a TLS handshake', '\x16\x03\x01\x02\x00', noConnect],
  ])('refuses %s', (_what, text, reason) => {
    expect(read(text)).toMatchObject({ kind: 'refused', reason });
  });
});
