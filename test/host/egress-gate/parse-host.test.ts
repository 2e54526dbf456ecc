import { describe, expect, test } from 'vitest';
import { parseHost } from '../../../src/host/egress-gate/parse-host.ts';

describe('parseHost', () => {
  test.each([
    ['api.example.com', 'name', 'api.example.com'],
    ['API.Example.COM', 'name', 'api.example.com'],
    ['xn--bcher-kva.example', 'name', 'xn--bcher-kva.example'],
    ['localhost', 'name', 'localhost'],
    ['127.0.0.1', 'ipv4', '127.0.0.1'],
    ['[::1]', 'ipv6', '::1'],
    ['[0:0:0:0:0:0:0:1]', 'ipv6', '::1'],
    ['[2001:DB8::1]', 'ipv6', '2001:db8::1'],
  ])('%s is the %s %s', (text, kind, host) => {
    expect(parseHost(text)).toEqual({ kind, host });
  });

  const zone = 'an IPv6 zone id';
  const mapped = 'an IPv4 address written as IPv6';
  const noAddress = 'not an IPv6 address';
  const number = 'a number that resolvers read as an address';
  const characters = 'characters that no host name has';

  test.each([
    ['', 'nothing', 'an empty host'],
    ['0x7f000001', 'hexadecimal', number],
    ['127.0.0.0x1', 'hexadecimal part last', number],
    ['0177.0.0.1', 'octal part', number],
    ['2130706433', 'one decimal number', number],
    ['127.1', 'short form', number],
    ['127.0.1', 'short form', number],
    ['1.2.3.4.5', 'five parts', number],
    ['256.1.1.1', 'part out of range', number],
    ['example.0x', 'a bare 0x, which is a number to some', number],
    ['127.0.0.1.', 'address with a trailing dot', 'a trailing dot'],
    ['ok.com.', 'trailing dot', 'a trailing dot'],
    ['.ok.com', 'leading dot', characters],
    ['ok..com', 'empty label', characters],
    ['evil\0.ok.com', 'NUL', characters],
    ['evil\n.ok.com', 'line feed', characters],
    ['evil%00.ok.com', 'escaped NUL', characters],
    ['user@ok.com', 'userinfo', characters],
    ['ok.com/path', 'path', characters],
    ['bücher.example', 'non-ASCII', characters],
    ['ok。com', 'ideographic full stop', characters],
    ['ｏk.com', 'full-width letter', characters],
    ['-ok.com', 'leading hyphen', characters],
    ['ok_.com', 'underscore', characters],
    [`${'a'.repeat(64)}.com`, 'label too long', characters],
    ['[::1%lo]', 'zone id', zone],
    ['[fe80::1%25eth0.ok.com]', 'zone id that ends like a name', zone],
    ['[::ffff:127.0.0.1]', 'mapped address', mapped],
    ['[::ffff:7f00:1]', 'mapped address in hexadecimal', mapped],
    ['[::1', 'open bracket', noAddress],
    ['[127.0.0.1]', 'IPv4 in brackets', noAddress],
    [`${'a.'.repeat(127)}com`, 'name too long', 'a host name that is too long'],
  ])('%j is refused: %s', (text, _what, reason) => {
    expect(parseHost(text)).toEqual({ kind: 'refused', reason });
  });
});
