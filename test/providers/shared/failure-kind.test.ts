import { describe, expect, it } from 'vitest';
import { classifyConnectionError } from '../../../src/providers/shared/connection-error.ts';
import { failureOfStatus } from '../../../src/providers/shared/failure-kind.ts';
import { UnexpectedAnswer } from '../../../src/providers/shared/unexpected-answer.ts';

describe('a status means', () => {
  it.each<readonly [number, string, string, boolean]>([
    [400, 'bad field', 'bad_request', false],
    [400, 'Your credit balance is too low', 'no_credit', false],
    [400, 'prompt is too long: 300000 tokens', 'context_too_long', false],
    [422, 'maximum context length is 8192', 'context_too_long', false],
    [401, 'invalid key', 'auth', false],
    [403, 'forbidden', 'auth', false],
    [403, 'Your organization must be verified to use it', 'no_access', false],
    [404, 'Your organization has been disabled', 'no_access', false],
    [402, 'pay', 'no_credit', false],
    [404, 'no such model', 'unknown_model', false],
    [408, '', 'server_error', true],
    [409, '', 'server_error', true],
    [413, '', 'context_too_long', false],
    [429, 'too many tokens a minute', 'rate_limited', true],
    [429, 'You exceeded your current quota', 'no_credit', false],
    [418, '', 'bad_request', false],
    [500, 'Your organization has been disabled', 'server_error', true],
    [529, '', 'overloaded', true],
  ])('%i %j: %s', (status, message, code, retryable) => {
    expect(failureOfStatus(status, message)).toEqual({ code, retryable });
  });
});

describe('a connection that fails means', () => {
  const caused = (cause: unknown): Error => new Error('fetch failed', { cause });
  it.each<readonly [string, unknown, object]>([
    ['an answer of no model service', caused(new UnexpectedAnswer('host', 'a web page')), { code: 'protocol' }],
    ['an event that cannot be read', caused(new SyntaxError('x')), { code: 'protocol' }],
    [
      'a certificate of nobody',
      caused(Object.assign(new Error('self signed'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })),
      { code: 'connection', retryable: false },
    ],
    ['a connection that was lost', caused(new Error('socket hang up')), { code: 'connection', retryable: true }],
    ['anything else', 'what?', { code: 'connection', retryable: true }],
  ])('%s', (_what, error, expected) => {
    expect(classifyConnectionError(error)).toMatchObject(expected);
  });
});
