import { APIError } from '@anthropic-ai/sdk';
import type { ModelFailure } from '../../contracts/model.ts';
import type { AttemptFailure } from '../shared/attempt.ts';
import { failed } from '../shared/attempt.ts';
import { classifyConnectionError } from '../shared/connection-error.ts';
import { readRetryAfterMs } from '../shared/retry-delay.ts';

interface Kind {
  readonly code: ModelFailure;
  readonly retryable: boolean;
}

const NO_CREDIT_LEFT: Kind = { code: 'no_credit', retryable: false };
const CONTEXT_TOO_LONG =
  /prompt is too long|input length and .max_tokens. exceed|context (?:window|limit)|too many (?:input )?tokens/i;
const NO_CREDIT = /credit balance|billing|purchase credits/i;

/** What an exception of the official client means. `nowMs` is the wall clock, for `retry-after` given as a date. */
export function classifyError(error: unknown, nowMs: number): AttemptFailure {
  // An error event inside a stream has a type but no status.
  if (!isApiError(error) || (error.status === undefined && error.type === null)) {
    return classifyConnectionError(error);
  }
  const message = error.apiMessage ?? `the service answered ${error.status ?? error.type ?? 'with an error'}`;
  const { code, retryable } = isSpendLimit(error.errorCode)
    ? NO_CREDIT_LEFT
    : kindOf(error.status, error.type, message);
  const retryAfterMs = readRetryAfterMs((name) => error.headers?.get(name) ?? null, nowMs);
  return failed(code, message, { retryable, retryAfterMs });
}

/** A limit in money comes as a rate limit, but waiting does not help before the month is over. */
function isSpendLimit(errorCode: string | null): boolean {
  return errorCode !== null && errorCode.endsWith('_spend_limit_reached');
}

/** `instanceof` alone would leave the type's parameters open. */
function isApiError(error: unknown): error is APIError {
  return error instanceof APIError;
}

function kindOf(status: number | undefined, type: string | null, message: string): Kind {
  if (status === 402 || type === 'billing_error' || (status === 400 && NO_CREDIT.test(message))) {
    return NO_CREDIT_LEFT;
  }
  if (status === 413 || type === 'request_too_large') return { code: 'context_too_long', retryable: false };
  if (status === 400 || type === 'invalid_request_error') {
    return { code: CONTEXT_TOO_LONG.test(message) ? 'context_too_long' : 'bad_request', retryable: false };
  }
  if (status === 401 || status === 403) return { code: 'auth', retryable: false };
  if (type === 'authentication_error' || type === 'permission_error') return { code: 'auth', retryable: false };
  if (status === 404 || type === 'not_found_error') return { code: 'unknown_model', retryable: false };
  if (status === 429 || type === 'rate_limit_error') return { code: 'rate_limited', retryable: true };
  if (status === 529 || type === 'overloaded_error') return { code: 'overloaded', retryable: true };
  if (status === 408 || status === 409 || type === 'timeout_error') return { code: 'server_error', retryable: true };
  if (status === undefined || status >= 500) return { code: 'server_error', retryable: true };
  return { code: 'bad_request', retryable: false };
}
