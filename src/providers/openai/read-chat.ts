import type OpenAI from 'openai';
import type { ModelFailure, Usage } from '../../contracts/model/model.ts';
import { ownValue } from '../../lib/own-value.ts';
import type { AttemptOutcome, Emit, Stop } from '../shared/attempt.ts';
import { failed } from '../shared/attempt.ts';
import { withoutLongRest } from '../shared/rest-of-stream.ts';
import type { ToolNames } from '../shared/tool-names.ts';
import { ChatCalls } from './chat-calls.ts';

type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;
type Choice = Chunk['choices'][number];

/** Turns a Chat Completions stream into events. An answer counts only after a finish reason. Throws what the stream throws. */
export async function readChat(stream: AsyncIterable<Chunk>, names: ToolNames, emit: Emit): Promise<AttemptOutcome> {
  let refused = false;
  let finish: string | null = null;
  const calls = new ChatCalls(names, emit);

  for await (const chunk of withoutLongRest(stream, () => finish !== null)) {
    if (chunk.usage) await emit({ type: 'usage', usage: readUsage(chunk.usage) });
    const choice = chunk.choices?.[0];
    if (choice === undefined) continue;
    const { content, refusal, tool_calls: deltas } = spokenIn(choice);
    await readContent(content, emit);
    if (refusal) await emit({ type: 'text_delta', text: refusal });
    refused ||= Boolean(refusal);
    const thought = thoughtIn(spokenIn(choice));
    if (thought !== undefined) await emit({ type: 'thought', text: thought });
    for (const delta of deltas ?? []) await calls.take(delta);
    finish = choice.finish_reason ?? finish;
  }
  if (finish === null) return failed('connection', 'the answer was cut off', { retryable: true });
  const failure = ownValue(FAILURES, finish);
  if (failure !== undefined) return failed(failure, `the service ended the answer (${finish})`, { retryable: true });
  await calls.endAll();
  return { kind: 'done', stop: stopOf(finish, calls.count, refused) };
}

/** Finish reasons that are failures of the server: of OpenRouter, DeepSeek and Z.ai. */
const FAILURES: Readonly<Partial<Record<string, ModelFailure>>> = {
  error: 'server_error',
  network_error: 'server_error',
  insufficient_system_resource: 'overloaded',
};

/** Some servers that do not stream an answer send it as a message. */
function spokenIn(choice: Choice): Partial<Choice['delta']> {
  const { message } = choice as { readonly message?: Partial<Choice['delta']> };
  return choice.delta ?? message ?? {};
}

/** Content is text; for Mistral's reasoning models it is a list of blocks with thoughts among them. */
async function readContent(content: unknown, emit: Emit): Promise<void> {
  if (typeof content === 'string' && content !== '') return await emit({ type: 'text_delta', text: content });
  for (const block of Array.isArray(content) ? (content as readonly unknown[]) : []) {
    const { type, text } = (block ?? {}) as Readonly<Record<string, unknown>>;
    if (type === 'text' && typeof text === 'string' && text !== '') await emit({ type: 'text_delta', text });
    else if (type === 'thinking') await emit({ type: 'thought' });
  }
}

function readUsage(usage: OpenAI.CompletionUsage): Usage {
  const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
  return {
    input_tokens: Math.max(0, usage.prompt_tokens - cached),
    output_tokens: usage.completion_tokens,
    cache_read_tokens: cached,
  };
}

/** The service does not send thoughts; compatible servers send them under one of these names. */
function thoughtIn(delta: object | undefined): string | undefined {
  const { reasoning, reasoning_content: content } = (delta ?? {}) as Readonly<Record<string, unknown>>;
  return [reasoning, content].find((thought): thought is string => typeof thought === 'string' && thought !== '');
}

/** Some servers say `stop` although there are calls. */
function stopOf(finish: string, calls: number, refused: boolean): Stop {
  if (finish === 'length' || finish === 'model_length') return 'max_tokens';
  if (finish === 'content_filter' || finish === 'sensitive') return 'refusal';
  if (calls > 0) return 'tool_calls';
  return refused ? 'refusal' : 'end_turn';
}
