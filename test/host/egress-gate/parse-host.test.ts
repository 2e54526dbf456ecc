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

  test.each([
    ['', 'nothing'],
    ['0x7f000001', 'hexadecimal'],
    ['0x7f.0.0.1', 'hexadecimal part first'],
    ['127.0.0.0x1', 'hexadecimal part last'],
    ['0177.0.0.1', 'octal part'],
    ['2130706433', 'one decimal number'],
    ['127.1', 'short form'],
    ['127.0.1', 'short form'],
    ['127.0.0.1.', 'address with a trailing dot'],
    ['1.2.3.4.5', 'five parts'],
    ['256.1.1.1', 'part out of range'],
    ['example.0x', 'a bare 0x, which is a number to some'],
    ['ok.com.', 'trailing dot'],
    ['.ok.com', 'leading dot'],
    ['ok..com', 'empty label'],
    ['evil\0.ok.com', 'NUL'],
    ['evil\n.ok.com', 'line feed'],
    ['evil%00.ok.com', 'escaped NUL'],
    ['user@ok.com', 'userinfo'],
    ['ok.com/path', 'path'],
    ['bücher.example', 'non-ASCII'],
    ['ok。com', 'ideographic full stop'],
    ['ｏk.com', 'full-width letter'],
    ['-ok.com', 'leading hyphen'],
    ['ok_.com', 'underscore'],
    ['[::1%lo]', 'zone id'],
    ['[fe80::1%25eth0.ok.com]', 'zone id that ends like a name'],
    ['[::ffff:127.0.0.1]', 'mapped address'],
    ['[::ffff:7f00:1]', 'mapped address in hexadecimal'],
    ['[::1', 'open bracket'],
    ['[127.0.0.1]', 'IPv4 in brackets'],
    [`${'a'.repeat(64)}.com`, 'label too long'],
    [`${'a.'.repeat(127)}com`, 'name too long'],
  ])('%j is refused: %s', (text) => {
    expect(parseHost(text).kind).toBe('refused');
  });
});
