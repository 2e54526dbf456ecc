import type OpenAI from 'openai';
import type { ModelRequest, Usage } from '../../contracts/model.ts';
import type { AttemptOutcome, Emit, Stop } from '../shared/attempt.ts';
import { failed } from '../shared/attempt.ts';
import { estimateUsage } from '../shared/estimate-usage.ts';
import type { ToolNames } from '../shared/tool-names.ts';
import { ChatCalls } from './chat-calls.ts';

type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;

/**
 * Turns a Chat Completions stream into events. An answer counts when a finish reason has come. Where a server counts no tokens,
 * they are estimated. `nextId` makes ids for calls that came without. Throws what the stream throws.
 */
export async function readChat(
  stream: AsyncIterable<Chunk>,
  request: ModelRequest,
  names: ToolNames,
  emit: Emit,
  nextId: () => string,
): Promise<AttemptOutcome> {
  let answerLength = 0;
  let refused = false;
  let finish: string | null = null;
  let usage: Usage | null = null;
  const measured: Emit = async (event) => {
    if (event.type === 'text_delta') answerLength += event.text.length;
    if (event.type === 'call_delta') answerLength += event.arguments_delta.length;
    await emit(event);
  };
  const calls = new ChatCalls(names, measured, nextId);

  for await (const chunk of stream) {
    if (chunk.usage) usage = readUsage(chunk.usage);
    const choice = chunk.choices?.[0];
    if (choice === undefined) continue;
    const { content, refusal, tool_calls: deltas } = choice.delta ?? {};
    if (content) await measured({ type: 'text_delta', text: content });
    if (refusal) await measured({ type: 'text_delta', text: refusal });
    refused ||= Boolean(refusal);
    for (const delta of deltas ?? []) await calls.take(delta);
    finish = choice.finish_reason ?? finish;
  }
  if (finish === null) return failed('connection', 'the answer was cut off', { retryable: true });
  await calls.endAll();
  await emit({ type: 'usage', usage: usage ?? estimateUsage(request, answerLength) });
  return { kind: 'done', stop: stopOf(finish, calls.count, refused) };
}

function readUsage(usage: OpenAI.CompletionUsage): Usage {
  const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
  return {
    input_tokens: Math.max(0, usage.prompt_tokens - cached),
    output_tokens: usage.completion_tokens,
    cache_read_tokens: cached,
  };
}

/** Some servers say `stop` where there are calls. */
function stopOf(finish: string, calls: number, refused: boolean): Stop {
  if (finish === 'length') return 'max_tokens';
  if (finish === 'content_filter') return 'refusal';
  if (calls > 0) return 'tool_calls';
  return refused ? 'refusal' : 'end_turn';
}
