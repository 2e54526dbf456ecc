import { ApiError } from '@google/genai/web';
import { z } from 'zod';
import type { AttemptFailure } from '../shared/attempt.ts';
import { failed } from '../shared/attempt.ts';
import { classifyConnectionError } from '../shared/connection-error.ts';
import { failureOfStatus } from '../shared/failure-kind.ts';
import { readRetryAfterMs } from '../shared/retry-delay.ts';

/** The service's error, which the library puts into its message as JSON. */
const bodySchema = z.object({
  error: z.object({
    code: z.number().optional(),
    message: z.string().default(''),
    status: z.string().optional(),
    details: z.array(z.looseObject({ retryDelay: z.string().optional() })).default([]),
  }),
});

/** Classifies an exception of the official client. `headers` are those of the last response, `nowMs` is the wall clock. */
export function classifyError(error: unknown, headers: Headers | null, nowMs: number): AttemptFailure {
  if (!(error instanceof ApiError)) return isUnreadable(error) ? unreadable() : classifyConnectionError(error);
  const body = bodyOf(error.message);
  const message = body?.message || `the service answered ${error.status}`;
  const kind = failureOfStatus(body?.code ?? error.status, message);
  const asked = readRetryAfterMs((name) => headers?.get(name) ?? null, nowMs);
  return failed(kind.code, message, { retryable: kind.retryable, retryAfterMs: asked ?? delayOf(body?.details ?? []) });
}

function bodyOf(text: string): z.infer<typeof bodySchema>['error'] | null {
  const start = text.indexOf('{');
  try {
    return bodySchema.parse(JSON.parse(text.slice(Math.max(0, start)))).error;
  } catch {
    return null;
  }
}

/** Parses `12s` or `0.5s`, the form in the details of an exhausted quota. */
function delayOf(details: readonly { readonly retryDelay?: string | undefined }[]): number | null {
  const found = details.map(({ retryDelay }) => /^(\d+(?:\.\d+)?)s$/.exec(retryDelay ?? '')?.[1]).find((each) => each);
  return found === undefined ? null : Math.ceil(Number(found) * 1000);
}

/** The library reports only in its message that an event was no JSON. */
function isUnreadable(error: unknown): boolean {
  return error instanceof Error && /parsing stream chunk/i.test(error.message);
}

function unreadable(): AttemptFailure {
  return failed('protocol', 'the answer contains an event that is not valid JSON');
}
