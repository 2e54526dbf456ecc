import type { ModelEvent, ModelRequest } from '../../contracts/model/model.ts';
import type { AttemptFailure, AttemptOutcome, Emit, ModelClient, NormalEvent } from './attempt.ts';
import { failed } from './attempt.ts';
import { Deadline } from './deadline.ts';
import { NormalAnswer } from './normal-answer.ts';
import { retryDelayMs } from './retry-delay.ts';

export interface RetryServices {
  readonly maxAttempts: number;
  readonly nowMs: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  /** Creates ids for calls without a usable one. */
  readonly nextId: () => string;
  /** Resolves after `ms`, or at once when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface ChatContext {
  readonly client: ModelClient;
  readonly request: ModelRequest;
  readonly send: (event: ModelEvent) => Promise<void>;
  readonly signal: AbortSignal;
  readonly services: RetryServices;
}

/**
 * Sends one request until exactly one `done` or `failed` was sent. Rejects with the signal's reason on an abort. Before each further attempt
 * `restart` cancels what the last one had sent, and an attempt that was given up sends nothing more: no answer is lost, and none is sent twice.
 * `deadline_ms` covers all attempts and the waits between them, but an answer that still comes in then goes on; `give_up` ends them earlier.
 */
export async function chatWithRetries(context: ChatContext): Promise<void> {
  const { request, send, signal, services } = context;
  const deadlineMs = services.nowMs() + request.deadline_ms;
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptOnce(context, deadlineMs);
    signal.throwIfAborted();
    if (outcome.kind === 'done') return await send({ type: 'done', stop: outcome.stop });
    const waitMs = retryDelayMs(attempt, outcome.retryAfterMs, services.random());
    const end = whyNotAgain(context, { outcome, attempt, waitMs, tooLate: services.nowMs() + waitMs >= deadlineMs });
    if (end !== null) return await send(giveUp(outcome, attempt, end));
    const { code, message } = outcome;
    await send({ type: 'restart', attempt: attempt + 1, after_ms: waitMs, code, message });
    await services.sleep(waitMs, signal);
    signal.throwIfAborted();
  }
}

interface Failure {
  readonly outcome: AttemptFailure;
  readonly attempt: number;
  readonly waitMs: number;
  /** The next attempt would come after the deadline. */
  readonly tooLate: boolean;
}

/** Text for the end of the message, possibly empty, if there is no further attempt; null if there is one. */
function whyNotAgain(
  { request, services }: ChatContext,
  { outcome, attempt, waitMs, tooLate }: Failure,
): string | null {
  if (!outcome.retryable) return '';
  if (tooLate) return outcome.code === 'timeout' ? '' : '; the next attempt would come after the deadline';
  if (attempt >= (request.give_up?.after_attempts ?? services.maxAttempts)) return '';
  if (waitMs <= (request.give_up?.wait_ms ?? Infinity)) return null;
  return `; the next attempt would have to wait ${Math.ceil(waitMs / 1000)} s`;
}

function giveUp({ code, message, retryable }: AttemptFailure, attempts: number, end: string): ModelEvent {
  const history = attempts === 1 ? '' : ` (after ${attempts} attempts)`;
  return { type: 'failed', code, message: `${message}${history}${end}`, retryable };
}

/** One attempt, in the form that the kernel expects. It ends at the deadline or with the request. */
async function attemptOnce(context: ChatContext, deadlineMs: number): Promise<AttemptOutcome> {
  const { client, request, send, signal, services } = context;
  const attempt = new AbortController();
  let live = true;
  const forward = async (event: NormalEvent): Promise<void> => {
    if (live && !signal.aborted) await send(event);
  };
  const answer = new NormalAnswer(request, forward, services.nextId);
  const timedOut = Promise.withResolvers<AttemptOutcome>();
  const deadline = new Deadline(request, deadlineMs - services.nowMs(), (outcome) => timedOut.resolve(outcome));
  const silence = onSilence(request, (outcome) => timedOut.resolve(outcome));
  const onAbort = (): void => timedOut.resolve(failed('timeout', 'cancelled'));
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    const take: Emit = async (event) => {
      clearTimeout(silence);
      if (event.type !== 'answering') deadline.heard();
      await answer.take(event);
    };
    const answered = client.attempt(request, take, AbortSignal.any([signal, attempt.signal]));
    const outcome = await Promise.race([answered, answer.tooLong, timedOut.promise]);
    return outcome.kind === 'done' && !signal.aborted ? await answer.finish(outcome) : outcome;
  } finally {
    live = false;
    deadline.close();
    clearTimeout(silence);
    signal.removeEventListener('abort', onAbort);
    attempt.abort();
  }
}

/** Gives up a server that does not begin to answer in time, if the request says so: another attempt would wait as long again. */
function onSilence({ give_up }: ModelRequest, report: (outcome: AttemptOutcome) => void): NodeJS.Timeout | undefined {
  if (give_up === undefined) return undefined;
  const { silence_ms } = give_up;
  const outcome = failed('timeout', `no answer began within ${Math.round(silence_ms / 1000)} s`);
  return setTimeout(() => report(outcome), silence_ms);
}
