import type { ModelEvent, ModelRequest } from '../../contracts/model.ts';
import type { AttemptFailure, AttemptOutcome, ModelClient, PartialEvent } from './attempt.ts';
import { failed } from './attempt.ts';
import { retryDelayMs } from './retry-delay.ts';

export interface RetryServices {
  readonly maxAttempts: number;
  readonly nowMs: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  /** Resolves after `ms`, or at once when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Carries one request through until exactly one of `done` and `failed` was sent, or rejects with the signal's reason when it is
 * aborted. Before each further attempt `restart` takes back what the last one had sent, and an attempt that was given up sends
 * nothing more: no answer is lost, none is heard twice. `deadline_ms` covers all attempts and the waits between them.
 */
export async function chatWithRetries(
  client: ModelClient,
  request: ModelRequest,
  send: (event: ModelEvent) => Promise<void>,
  signal: AbortSignal,
  world: RetryServices,
): Promise<void> {
  const deadlineMs = world.nowMs() + request.deadline_ms;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptUntil(deadlineMs, client, request, send, signal, world);
    signal.throwIfAborted();
    if (outcome.kind === 'done') return await send({ type: 'done', stop: outcome.stop });
    const waitMs = retryDelayMs(attempt, outcome.retryAfterMs, world.random());
    const tooLate = world.nowMs() + waitMs >= deadlineMs;
    if (!outcome.retryable || attempt >= world.maxAttempts || tooLate) {
      return await send(giveUp(outcome, attempt, tooLate));
    }
    const { code, message } = outcome;
    await send({ type: 'restart', attempt: attempt + 1, after_ms: waitMs, code, message });
    await world.sleep(waitMs, signal);
    signal.throwIfAborted();
  }
}

function giveUp(outcome: AttemptFailure, attempts: number, tooLate: boolean): ModelEvent {
  const { code, message, retryable } = outcome;
  const history = attempts === 1 ? '' : ` (after ${attempts} attempts)`;
  const reason = retryable && tooLate && code !== 'timeout' ? '; the next attempt would come after the deadline' : '';
  return { type: 'failed', code, message: `${message}${history}${reason}`, retryable };
}

async function attemptUntil(
  deadlineMs: number,
  client: ModelClient,
  request: ModelRequest,
  send: (event: ModelEvent) => Promise<void>,
  signal: AbortSignal,
  world: RetryServices,
): Promise<AttemptOutcome> {
  const attempt = new AbortController();
  const stop = (): void => attempt.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  let live = true;
  const emit = async (event: PartialEvent): Promise<void> => {
    if (live && !attempt.signal.aborted) await send(event);
  };
  const deadline = Promise.withResolvers<AttemptOutcome>();
  const timer = setTimeout(
    () =>
      deadline.resolve(failed('timeout', `no complete answer within ${request.deadline_ms} ms`, { retryable: true })),
    Math.max(0, deadlineMs - world.nowMs()),
  );
  const aborted = new Promise<AttemptOutcome>((resolve) => {
    const resolveAborted = (): void => resolve(failed('timeout', 'cancelled'));
    if (signal.aborted) resolveAborted();
    else signal.addEventListener('abort', resolveAborted, { once: true });
  });
  try {
    return await Promise.race([client.attempt(request, emit, attempt.signal), deadline.promise, aborted]);
  } finally {
    live = false;
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    attempt.abort();
  }
}
