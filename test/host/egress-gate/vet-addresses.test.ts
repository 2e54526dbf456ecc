import { describe, expect, test } from 'vitest';
import { vetAnswers, vetHost } from '../../../src/host/egress-gate/vet-addresses.ts';

const publicRule = { host: 'ok.com', port: 443, reach: 'public' } as const;
const privateRule = { host: 'models.corp', port: 443, reach: 'private' } as const;

describe('vetHost', () => {
  test('reaches an address as itself', () => {
    expect(vetHost('192.168.1.5')).toEqual({ kind: 'connect', addresses: ['192.168.1.5'], loopback: false });
  });

  test('does not ask the resolver what localhost is', () => {
    expect(vetHost('localhost')).toEqual({ kind: 'connect', addresses: ['127.0.0.1', '::1'], loopback: true });
  });

  test('resolves a name', () => {
    expect(vetHost('ok.com')).toEqual({ kind: 'resolve' });
  });
});

describe('vetAnswers', () => {
  test.each([
    ['public answers', publicRule, ['93.184.215.14', '2606:4700::1']],
    ['private answers for a host of the user', privateRule, ['10.1.2.3']],
    ['a reserved answer where the user says so', { ...privateRule, reach: 'reserved' } as const, ['198.18.0.7']],
    ['public answers for a host of the user', privateRule, ['93.184.215.14']],
  ])('takes %s', (_what, rule, answers) => {
    expect(vetAnswers(rule, answers)).toEqual({ kind: 'connect', addresses: answers, loopback: false });
  });

  test.each([
    ['no answer', publicRule, []],
    ['a private answer', publicRule, ['10.0.0.1']],
    ['a loopback answer', publicRule, ['127.0.0.1']],
    ['a metadata answer', publicRule, ['169.254.169.254']],
    ['a reserved answer for a host of the user', privateRule, ['198.18.0.7']],
    ['a metadata answer, whatever the user says', { ...privateRule, reach: 'reserved' } as const, ['169.254.169.254']],
    ['one bad answer among good ones', publicRule, ['93.184.215.14', '::1']],
    ['a loopback answer for a host of the user', privateRule, ['127.0.0.1']],
    ['a metadata answer for a host of the user', privateRule, ['169.254.169.254']],
    ['a metadata answer in a private range', privateRule, ['100.100.100.200']],
  ])('refuses %s', (_what, rule, answers) => {
    expect(vetAnswers(rule, answers).kind).toBe('refused');
  });

  test('names the address that it refuses', () => {
    expect(vetAnswers(privateRule, ['198.18.0.7'])).toEqual({
      kind: 'refused',
      reason: 'the name leads to 198.18.0.7, a reserved address',
    });
  });
});
