import { describe, expect, test, vi } from 'vitest';
import type { ModelEvent } from '../../../src/contracts/model/model.ts';
import type { AttemptOutcome, Emit, ModelClient } from '../../../src/providers/shared/attempt.ts';
import { failed } from '../../../src/providers/shared/attempt.ts';
import { chatWithRetries } from '../../../src/providers/shared/chat-with-retries.ts';
import { request } from '../conformance.ts';

type Attempt = (emit: Emit, signal: AbortSignal) => Promise<AttemptOutcome>;

/** Services whose clock moves only by waiting between attempts. */
function makeServices() {
  const waits: number[] = [];
  let nowMs = 0;
  const services = {
    maxAttempts: 4,
    nowMs: () => nowMs,
    random: () => 0,
    nextId: () => 'made-here',
    sleep: (ms: number) => {
      waits.push(ms);
      nowMs += ms;
      return Promise.resolve();
    },
  };
  return { services, waits };
}

function clientOf(...attempts: Attempt[]): ModelClient & { readonly signals: AbortSignal[] } {
  const signals: AbortSignal[] = [];
  return {
    signals,
    attempt: (_request, emit, signal) => {
      signals.push(signal);
      return (attempts[signals.length - 1] ?? attempts.at(-1) ?? never)(emit, signal);
    },
  };
}

const never: Attempt = () => new Promise(() => undefined);
const busy: Attempt = () => Promise.resolve(failed('overloaded', 'busy', { retryable: true }));
const good: Attempt = async (emit) => {
  await emit({ type: 'text_delta', text: 'whole' });
  return { kind: 'done', stop: 'end_turn' };
};

type GiveUp = typeof request.give_up;

async function run(client: ModelClient, options: { deadlineMs?: number; signal?: AbortSignal; giveUp?: GiveUp } = {}) {
  const events: ModelEvent[] = [];
  const { services, waits } = makeServices();
  const send = (event: ModelEvent): Promise<void> => Promise.resolve(void events.push(event));
  const chat = { ...request, deadline_ms: options.deadlineMs ?? 60_000, give_up: options.giveUp };
  const signal = options.signal ?? new AbortController().signal;
  await chatWithRetries({ client, request: chat, send, signal, services });
  return { events, waits };
}

describe('chatWithRetries', () => {
  test('ends an answer of thoughts alone at its token limit, and hears a model that thinks without a word', async () => {
    const thinks: Attempt = async (emit, signal) => {
      await emit({ type: 'thought' });
      while (!signal.aborted) await emit({ type: 'thought', text: 'hm, '.repeat(1_000) });
      return { kind: 'done', stop: 'end_turn' };
    };
    const { events } = await run(clientOf(thinks), {});
    expect(events[0]).toEqual({ type: 'thought_delta', text: '' });
    expect(events.at(-1)).toEqual({ type: 'done', stop: 'max_tokens' });
    const shown = events.map((event) => (event.type === 'thought_delta' ? event.text.length : 0));
    expect(shown.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(64 * 1024);
  });

  test('takes back what a failed attempt had sent, then sends all of the next', async () => {
    const half: Attempt = async (emit) => {
      await emit({ type: 'text_delta', text: 'ha' });
      return failed('connection', 'cut', { retryable: true });
    };
    const { events, waits } = await run(clientOf(half, good));
    expect(events).toEqual([
      { type: 'text_delta', text: 'ha' },
      { type: 'restart', attempt: 2, after_ms: 250, code: 'connection', message: 'cut' },
      { type: 'text_delta', text: 'whole' },
      { type: 'usage', usage: expect.anything() as unknown },
      { type: 'done', stop: 'end_turn' },
    ]);
    expect(waits).toEqual([250]);
  });

  test('an attempt that was given up is told so, and what it still says is not heard', async () => {
    let lateEmit: Emit | null = null;
    const lingering: Attempt = (emit) => {
      lateEmit = emit;
      return Promise.resolve(failed('connection', 'cut', { retryable: true }));
    };
    const client = clientOf(lingering, async (emit) => {
      await lateEmit?.({ type: 'text_delta', text: 'from the grave' });
      return await good(emit, new AbortController().signal);
    });
    const { events } = await run(client);
    expect(JSON.stringify(events)).not.toContain('grave');
    expect(client.signals[0]?.aborted).toBe(true);
  });

  const giveUp = { after_attempts: 2, wait_ms: 5_000, silence_ms: 60_000 };

  test('gives up after the attempts of the request where another model can answer', async () => {
    const { events, waits } = await run(clientOf(busy), { giveUp });
    expect(waits).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'failed', message: 'busy (after 2 attempts)' });
  });

  test('gives up at once where the wait would be longer than the request allows', async () => {
    const later: Attempt = () =>
      Promise.resolve(failed('rate_limited', 'later', { retryable: true, retryAfterMs: 8_000 }));
    const { events, waits } = await run(clientOf(later), { giveUp });
    expect(waits).toEqual([]);
    expect(events).toMatchObject([{ type: 'failed', message: 'later; the next attempt would have to wait 9 s' }]);
    expect((await run(clientOf(later, good))).waits).toHaveLength(1);
  });

  test('gives up a server that does not begin to answer, and waits for one that has begun', async () => {
    vi.useFakeTimers();
    try {
      const silent = run(clientOf(never), { giveUp, deadlineMs: 600_000 });
      await vi.advanceTimersByTimeAsync(60_000);
      expect((await silent).events).toMatchObject([
        { type: 'failed', code: 'timeout', message: 'no answer began within 60 s' },
      ]);
      const done = Promise.withResolvers<AttemptOutcome>();
      const slow: Attempt = async (emit) => {
        await emit({ type: 'answering' });
        return await done.promise;
      };
      const answered = run(clientOf(slow), { giveUp, deadlineMs: 600_000 });
      await vi.advanceTimersByTimeAsync(120_000);
      done.resolve({ kind: 'done', stop: 'end_turn' });
      expect((await answered).events.at(-1)).toMatchObject({ type: 'done' });
    } finally {
      vi.useRealTimers();
    }
  });

  test('gives up after its last attempt, and says how many there were', async () => {
    const { events, waits } = await run(clientOf(busy));
    expect(waits).toHaveLength(3);
    expect(events.at(-1)).toEqual({
      type: 'failed',
      code: 'overloaded',
      message: 'busy (after 4 attempts)',
      retryable: true,
    });
  });

  test('does not begin a wait that would end after the deadline', async () => {
    const { events, waits } = await run(clientOf(busy), { deadlineMs: 600 });
    expect(waits).toEqual([250]);
    expect(events.at(-1)).toMatchObject({ type: 'failed', code: 'overloaded' });
  });

  test('does not repeat what cannot succeed', async () => {
    const { events, waits } = await run(clientOf(() => Promise.resolve(failed('auth', 'wrong key'))));
    expect(waits).toEqual([]);
    expect(events).toEqual([{ type: 'failed', code: 'auth', message: 'wrong key', retryable: false }]);
  });

  test('ends an attempt that outlives the deadline', async () => {
    const client = clientOf(never);
    const { events } = await run(client, { deadlineMs: 30 });
    expect(events).toMatchObject([{ type: 'failed', code: 'timeout' }]);
    expect(client.signals[0]?.aborted).toBe(true);
  });

  test('hears an answer that still comes in at the deadline to its end, and ends one that pauses there', async () => {
    vi.useFakeTimers();
    const once = { after_attempts: 1, wait_ms: 0, silence_ms: 60_000 };
    try {
      const slow =
        (words: number): Attempt =>
        async (emit) => {
          for (let word = 0; word < words; word += 1) {
            await new Promise((resolve) => setTimeout(resolve, 50_000));
            await emit({ type: 'text_delta', text: 'a' });
          }
          return { kind: 'done', stop: 'end_turn' };
        };
      const heard = run(clientOf(slow(30)), { deadlineMs: 600_000 });
      await vi.advanceTimersByTimeAsync(1_500_000);
      expect((await heard).events.at(-1)).toMatchObject({ type: 'done' });
      const paused = run(
        clientOf(async (emit) => {
          await emit({ type: 'text_delta', text: 'a' });
          return await new Promise(() => undefined);
        }),
        { deadlineMs: 600_000, giveUp: once },
      );
      await vi.advanceTimersByTimeAsync(660_000);
      expect((await paused).events.at(-1)).toMatchObject({ type: 'failed', code: 'timeout' });
      const endless = run(clientOf(slow(1_000)), { deadlineMs: 600_000, giveUp: once });
      await vi.advanceTimersByTimeAsync(3_600_000);
      expect((await endless).events.at(-1)).toMatchObject({ message: 'no complete answer within 3600 s' });
    } finally {
      vi.useRealTimers();
    }
  });

  test('rejects when it is aborted, with no event after it', async () => {
    const controller = new AbortController();
    const client = clientOf(async (emit) => {
      await emit({ type: 'text_delta', text: 'a' });
      controller.abort(new Error('enough'));
      return { kind: 'done', stop: 'end_turn' };
    });
    await expect(run(client, { signal: controller.signal })).rejects.toThrow('enough');
    await expect(run(clientOf(good), { signal: controller.signal })).rejects.toThrow('enough');
  });
});
