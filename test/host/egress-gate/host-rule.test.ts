import { describe, expect, test } from 'vitest';
import type { HostRule } from '../../../src/host/egress-gate/host-rule.ts';
import { findRule, parseHostRule } from '../../../src/host/egress-gate/host-rule.ts';

function rules(...texts: string[]): HostRule[] {
  return texts.map((text) => {
    const result = parseHostRule(text);
    if (result.kind === 'invalid') throw new Error(`${text}: ${result.reason}`);
    return result.rule;
  });
}

describe('a rule', () => {
  const noPort = 'expected host:port';
  const wildcard = 'a wildcard needs a domain of at least two labels';
  const characters = 'characters that no host name has';

  test.each([
    ['ok.com', noPort],
    [':443', noPort],
    ['ok.com:', noPort],
    ['ok.com:0', noPort],
    ['ok.com:65536', noPort],
    ['ok.com:+443', noPort],
    ['ok.com:0443', noPort],
    ['::1:443', noPort],
    ['*.com:443', wildcard],
    ['*.10.0.0.1:443', wildcard],
    ['*:443', characters],
    ['*.*.ok.com:443', characters],
    ['o*k.com:443', characters],
    ['https://ok.com:443', noPort],
    ['127.1:80', 'a number that resolvers read as an address'],
  ])('is invalid as %s', (text, reason) => {
    expect(parseHostRule(text)).toEqual({ kind: 'invalid', reason });
  });

  test('reaches public networks unless told otherwise', () => {
    expect(rules('OK.com:443')).toEqual([{ host: 'ok.com', port: 443, reach: 'public' }]);
  });
});

describe('findRule', () => {
  const allowed = rules('ok.com:443', '*.sub.org:8443', '127.0.0.1:11434', '[::1]:80');

  test.each([
    ['ok.com', 443],
    ['a.sub.org', 8443],
    ['a.b.sub.org', 8443],
    ['127.0.0.1', 11434],
    ['::1', 80],
  ])('permits %s:%i', (host, port) => {
    expect(findRule(allowed, host, port)).toBeDefined();
  });

  test.each([
    ['ok.com', 80],
    ['ok.com', 4430],
    ['ok.com.evil', 443],
    ['evilok.com', 443],
    ['www.ok.com', 443],
    ['sub.org', 8443],
    ['evilsub.org', 8443],
    ['127.0.0.1', 80],
    ['127.0.0.2', 11434],
    ['localhost', 11434],
  ])('does not permit %s:%i', (host, port) => {
    expect(findRule(allowed, host, port)).toBeUndefined();
  });

  test('permits nothing when nothing is listed', () => {
    expect(findRule([], 'ok.com', 443)).toBeUndefined();
  });
});
