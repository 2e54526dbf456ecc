import { describe, expect, test } from 'vitest';
import { matchHost, parseHostPattern } from '../../../../src/kernel/policy/rules/host-pattern.ts';

function matches(pattern: string, host: string): boolean | 'refused' {
  const wanted = parseHostPattern(pattern);
  const asked = parseHostPattern(host);
  if (wanted.kind === 'refused') throw new Error(`${pattern} ${wanted.reason}`);
  return asked.kind === 'refused' ? 'refused' : matchHost(wanted.host, asked.host);
}

describe('a host is meant by a pattern, or not, or can not be read at all', () => {
  test.each([
    ['ok.com', 'ok.com', true],
    ['ok.com', 'OK.com', true],
    ['ok.com', 'ok.com:443', true],
    ['ok.com:443', 'ok.com:443', true],
    ['ok.com:443', 'ok.com:8443', false],
    ['ok.com:443', 'ok.com', false],
    ['ok.com', 'ok.com.evil', false],
    ['ok.com', 'evil-ok.com', false],
    ['ok.com', 'sub.ok.com', false],
    ['*.ok.com', 'sub.ok.com', true],
    ['*.ok.com', 'a.b.ok.com:443', true],
    ['*.ok.com', 'ok.com', false],
    ['*.ok.com', 'evilok.com', false],
    ['*.ok.com', '*.ok.com', false],
    ['*.com', '*.ok.com', false],
    ['127.0.0.1', '127.0.0.1:80', true],
    ['127.0.0.1', '127.0.0.2', false],
    ['[::1]:80', '[::1]:80', true],
    ['ok.com', 'ok.com.', 'refused'],
    ['ok.com', 'user@ok.com', 'refused'],
    ['ok.com', 'evil\0.ok.com', 'refused'],
    ['ok.com', 'evil.com/.ok.com', 'refused'],
    ['ok.com', 'ok.com:443:80', 'refused'],
    ['ok.com', 'ok.com:0', 'refused'],
    ['ok.com', 'ok.com:65536', 'refused'],
    ['ok.com', 'ok.com:', 'refused'],
    ['ok.com', 'ök.com', 'refused'],
    ['ok.com', 'ok..com', 'refused'],
    ['ok.com', '', 'refused'],
    ['ok.com', '*', 'refused'],
    ['ok.com', 'ok.com\n', 'refused'],
    ['127.0.0.1', '0x7f.0.0.1', 'refused'],
    ['127.0.0.1', '0177.0.0.1', 'refused'],
    ['127.0.0.1', '127.1', 'refused'],
    ['127.0.0.1', '2130706433', 'refused'],
    ['127.0.0.1', '127.0.0.1.', 'refused'],
    ['127.0.0.1', '256.0.0.1', 'refused'],
    ['[::1]', '[::1%lo]', 'refused'],
  ] as const)('%s: %j is %s', (pattern, host, expected) => {
    expect(matches(pattern, host)).toBe(expected);
  });
});

describe('a pattern that could be read in two ways is refused', () => {
  test.each([
    ['*.127.0.0.1', 'puts "*." before an address'],
    ['*.[::1]', 'puts "*." before an address'],
    ['127.1', 'looks like an address in an unusual notation; write all four decimal parts'],
    ['0x7f000001', 'looks like an address in an unusual notation; write all four decimal parts'],
    ['ok.com:0', 'has a port outside 1 to 65535'],
    ['ok.com:65536', 'has a port outside 1 to 65535'],
    [`${'a.'.repeat(126)}com`, 'is not a host name with an optional port'],
    ['ok.com:https', 'is not a host name with an optional port'],
  ])('%s %s', (pattern, reason) => {
    expect(parseHostPattern(pattern)).toEqual({ kind: 'refused', reason });
  });
});
