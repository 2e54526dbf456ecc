import { APIError } from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';
import { classifyError } from '../../../src/providers/anthropic/classify-error.ts';

function vendorError(status: number | undefined, type: string, message: string, details?: unknown): Error {
  const body = { type: 'error', error: { type, message, ...(details === undefined ? {} : { details }) } };
  return APIError.generate(status, body, undefined, new Headers());
}

test.each([
  [vendorError(429, 'rate_limit_error', 'x', { error_code: 'enforced_spend_limit_reached' }), 'no_credit', false],
  [vendorError(429, 'rate_limit_error', 'x', { error_code: 'ramp_limit_exceeded' }), 'rate_limited', true],
  [vendorError(529, 'overloaded_error', 'x'), 'overloaded', true],
  [vendorError(503, 'overloaded_error', 'x'), 'overloaded', true],
  [vendorError(504, 'timeout_error', 'x'), 'server_error', true],
  [vendorError(409, 'conflict_error', 'x'), 'server_error', true],
  [vendorError(418, 'teapot', 'x'), 'bad_request', false],
  [new Error('anything', { cause: new Error('socket hang up') }), 'connection', true],
  [new SyntaxError('Unexpected token'), 'protocol', false],
  ['not even an error', 'connection', true],
])('%s', (error, code, retryable) => {
  expect(classifyError(error, 0)).toMatchObject({ code, retryable });
});
