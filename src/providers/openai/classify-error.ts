import { APIError } from 'openai';
import { ownValue } from '../../lib/own-value.ts';
import type { AttemptFailure } from '../shared/attempt.ts';
import { failed } from '../shared/attempt.ts';
import { classifyConnectionError } from '../shared/connection-error.ts';
import type { FailureKind } from '../shared/failure-kind.ts';
import { failureOfStatus, isNoAccess, isTooLong } from '../shared/failure-kind.ts';
import { readRetryAfterMs } from '../shared/retry-delay.ts';

const KIND_OF_CODE: Readonly<Partial<Record<string, FailureKind>>> = {
  context_length_exceeded: { code: 'context_too_long', retryable: false },
  string_above_max_length: { code: 'context_too_long', retryable: false },
  insufficient_quota: { code: 'no_credit', retryable: false },
  billing_hard_limit_reached: { code: 'no_credit', retryable: false },
  billing_not_active: { code: 'no_credit', retryable: false },
  model_not_found: { code: 'unknown_model', retryable: false },
  invalid_api_key: { code: 'auth', retryable: false },
  invalid_prompt: { code: 'bad_request', retryable: false },
  rate_limit_exceeded: { code: 'rate_limited', retryable: true },
  server_is_overloaded: { code: 'overloaded', retryable: true },
  slow_down: { code: 'overloaded', retryable: true },
  server_error: { code: 'server_error', retryable: true },
};

/** The status for a type of error: an error inside a stream has no status. */
const STATUS_OF_TYPE: Readonly<Partial<Record<string, number>>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  rate_limit_error: 429,
  overloaded_error: 529,
};

/** Classifies an error inside a stream, which has no status, by the service's code or else by its wording. null if both are unknown. */
export function failureInStream(code: string | null, message: string): FailureKind | null {
  return failureOfCode(code) ?? (isTooLong(message) ? { code: 'context_too_long', retryable: false } : null);
}

function failureOfCode(code: string | null): FailureKind | null {
  return code === null ? null : (ownValue(KIND_OF_CODE, code) ?? null);
}

/** Classifies an exception of the official client. `nowMs` is the wall clock, for `retry-after` given as a date. */
export function classifyError(error: unknown, nowMs: number): AttemptFailure {
  if (!isApiError(error) || (error.status === undefined && error.error === undefined)) {
    return classifyConnectionError(error);
  }
  const message = messageOf(error);
  // Compatible endpoints send numbers where the service sends words. Inside a stream these are statuses.
  const given: unknown = error.code;
  const code = typeof given === 'string' ? given : null;
  const status = error.status ?? statusIn(given) ?? ownValue(STATUS_OF_TYPE, error.type ?? '') ?? null;
  const kind =
    status === null
      ? (failureInStream(code, message) ?? failureOfStatus(500, message))
      : ((isNoAccess(message) ? null : failureOfCode(code)) ?? failureOfStatus(status, message));
  const retryAfterMs = readRetryAfterMs((name) => error.headers?.get(name) ?? null, nowMs);
  return failed(kind.code, message, { retryable: kind.retryable, retryAfterMs });
}

function statusIn(code: unknown): number | null {
  return typeof code === 'number' && code >= 400 && code <= 599 ? code : null;
}

/** The client's own message repeats the whole body if it finds no message in it. */
function messageOf(error: APIError): string {
  const body: unknown = error.error;
  if (typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string')
    return body.message;
  return `the service answered ${error.status ?? 'with an error'}`;
}

/** `instanceof` alone would not fix the type parameters. */
function isApiError(error: unknown): error is APIError {
  return error instanceof APIError;
}
