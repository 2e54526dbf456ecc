import type { GenerateContentResponse } from '@google/genai/web';
import type OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readStream } from '../../../src/providers/google/read-stream.ts';
import { readChat } from '../../../src/providers/openai/read-chat.ts';
import type { PartialEvent } from '../../../src/providers/shared/attempt.ts';
import { toolNames } from '../../../src/providers/shared/tool-names.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Sends parts after pauses, and then keeps the connection open. */
async function* heldOpen<Part>(parts: readonly (readonly [pauseMs: number, part: unknown])[]): AsyncGenerator<Part> {
  for (const [pauseMs, part] of parts) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    yield part as Part;
  }
  await new Promise(() => undefined);
}

const chatEnd = { choices: [{ index: 0, delta: { content: 'Done.' }, finish_reason: 'stop' }] };
const chatUsage = { choices: [], usage: { prompt_tokens: 9, completion_tokens: 3 } };
const geminiEnd = { candidates: [{ content: { parts: [{ text: 'Done.' }] }, finishReason: 'STOP' }] };
const geminiUsage = { usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 3 } };

const reader = {
  chat: (parts: Parameters<typeof heldOpen>[0], emit: (event: PartialEvent) => Promise<void>) =>
    readChat(heldOpen<OpenAI.Chat.Completions.ChatCompletionChunk>(parts), toolNames([]), emit),
  gemini: (parts: Parameters<typeof heldOpen>[0], emit: (event: PartialEvent) => Promise<void>) =>
    readStream(heldOpen<GenerateContentResponse>(parts), {
      model: 'm',
      names: toolNames([]),
      memory: { remember: () => undefined },
      emit,
    }),
};

describe.each([
  ['chat', chatEnd, chatUsage],
  ['gemini', geminiEnd, geminiUsage],
] as const)('a stream that stays open after the answer (%s)', (wire, end, usage) => {
  async function read(parts: Parameters<typeof heldOpen>[0], afterMs: number) {
    const events: PartialEvent[] = [];
    const outcome = reader[wire](parts, (event) => Promise.resolve(void events.push(event)));
    const late = Promise.withResolvers<'still waits'>();
    setTimeout(() => late.resolve('still waits'), afterMs);
    await vi.advanceTimersByTimeAsync(afterMs);
    return { outcome: await Promise.race([outcome, late.promise]), kinds: events.map(({ type }) => type) };
  }

  test('ends soon after the reason for its end, with the token counts that still came', async () => {
    expect(
      await read(
        [
          [0, end],
          [4_000, usage],
        ],
        10_000,
      ),
    ).toEqual({
      outcome: { kind: 'done', stop: 'end_turn' },
      kinds: ['text_delta', 'usage'],
    });
  });

  test('ends without token counts where none come', async () => {
    expect(await read([[0, end]], 10_000)).toMatchObject({ outcome: { kind: 'done', stop: 'end_turn' } });
  });

  test('is read on where there is no reason for an end yet', async () => {
    const part = wire === 'chat' ? { choices: [{ index: 0, delta: { content: 'a' } }] } : { candidates: [] };
    expect(
      await read(
        [
          [0, part],
          [60_000, end],
        ],
        59_000,
      ),
    ).toMatchObject({ outcome: 'still waits' });
  });
});
