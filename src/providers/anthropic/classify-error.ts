import { APIError } from '@anthropic-ai/sdk';
import { ownValue } from '../../lib/own-value.ts';
import type { AttemptFailure } from '../shared/attempt.ts';
import { failed } from '../shared/attempt.ts';
import { classifyConnectionError } from '../shared/connection-error.ts';
import type { FailureKind } from '../shared/failure-kind.ts';
import { failureOfStatus } from '../shared/failure-kind.ts';
import { readRetryAfterMs } from '../shared/retry-delay.ts';

/** The status for a type of error: an error event inside a stream has only the type. */
const STATUS_OF_TYPE: Readonly<Partial<Record<string, number>>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  timeout_error: 408,
  conflict_error: 409,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  overloaded_error: 529,
};

/** What an exception of the official client means. `nowMs` is the wall clock, for `retry-after` given as a date. */
export function classifyError(error: unknown, nowMs: number): AttemptFailure {
  if (!isApiError(error) || (error.status === undefined && error.type === null)) return classifyConnectionError(error);
  const message = error.apiMessage ?? `the service answered ${error.status ?? error.type ?? 'with an error'}`;
  const { code, retryable } = kindOf(error.status, error.type, error.errorCode, message);
  const retryAfterMs = readRetryAfterMs((name) => error.headers?.get(name) ?? null, nowMs);
  return failed(code, message, { retryable, retryAfterMs });
}

function kindOf(
  status: number | undefined,
  type: string | null,
  errorCode: string | null,
  message: string,
): FailureKind {
  // A limit in money is reported as a rate limit, but waiting does not help before the month is over.
  if (errorCode?.endsWith('_spend_limit_reached') === true) return { code: 'no_credit', retryable: false };
  if (type === 'overloaded_error') return { code: 'overloaded', retryable: true };
  return failureOfStatus(status ?? ownValue(STATUS_OF_TYPE, type ?? '') ?? 500, message);
}

/** `instanceof` alone would not fix the type parameters. */
function isApiError(error: unknown): error is APIError {
  return error instanceof APIError;
}
