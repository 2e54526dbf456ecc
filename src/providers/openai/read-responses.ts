import type OpenAI from 'openai';
import { assertNever } from '../../lib/assert-never.ts';
import { asText } from '../shared/as-text.ts';
import type { AttemptOutcome, Emit } from '../shared/attempt.ts';
import { failed } from '../shared/attempt.ts';
import type { ToolNames } from '../shared/tool-names.ts';
import { failureInStream } from './classify-error.ts';

type Item = OpenAI.Responses.ResponseOutputItem;
type StreamEvent = OpenAI.Responses.ResponseStreamEvent;

const RELEVANT = [
  'response.output_item.added',
  'response.output_text.delta',
  'response.reasoning_summary_text.delta',
  'response.reasoning_text.delta',
  'response.refusal.delta',
  'response.function_call_arguments.delta',
  'response.function_call_arguments.done',
  'response.output_item.done',
  'response.completed',
  'response.incomplete',
  'response.failed',
  'error',
] as const;
type RelevantEvent = Extract<StreamEvent, { type: (typeof RELEVANT)[number] }>;

/** The content of an answer so far. */
interface Progress {
  /** Output indexes whose text has been streamed. */
  readonly spoken: Set<number>;
  /** Length of the streamed arguments, by the item's output index. */
  readonly openCalls: Map<number, number>;
  /** Ids of all calls so far. */
  readonly calls: Set<string>;
  refused: boolean;
}

/**
 * Turns the service's stream into events. Only `response.completed` and `response.incomplete` end an answer; a stream that ends without them was cut.
 * Throws what the stream throws.
 */
export async function readResponses(
  stream: AsyncIterable<StreamEvent>,
  names: ToolNames,
  emit: Emit,
): Promise<AttemptOutcome> {
  const progress: Progress = { spoken: new Set(), openCalls: new Map(), calls: new Set(), refused: false };
  for await (const event of stream) {
    if (!isRelevant(event)) continue;
    switch (event.type) {
      case 'response.output_item.added':
        await startItem(event.item, event.output_index, progress, names, emit);
        break;
      case 'response.output_text.delta':
        progress.spoken.add(event.output_index);
        await emit({ type: 'text_delta', text: event.delta });
        break;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        await emit({ type: 'thought', text: event.delta });
        break;
      case 'response.refusal.delta':
        progress.refused = true;
        progress.spoken.add(event.output_index);
        await emit({ type: 'text_delta', text: event.delta });
        break;
      case 'response.function_call_arguments.delta':
        await addArguments(event.delta, event.output_index, progress, emit);
        break;
      case 'response.function_call_arguments.done':
        if (progress.openCalls.get(event.output_index) === 0)
          await addArguments(event.arguments, event.output_index, progress, emit);
        break;
      case 'response.output_item.done':
        await endItem(event.item, event.output_index, progress, names, emit);
        break;
      case 'response.completed':
      case 'response.incomplete':
        if (event.type === 'response.completed') await takeOver(event.response, progress, names, emit);
        return await finish(event.response, progress, emit);
      case 'response.failed':
        return failureOf(event.response?.error ?? null);
      case 'error':
        return failureOf(event);
      default:
        assertNever(event);
    }
  }
  return failed('connection', 'the answer was cut off', { retryable: true });
}

/** Other events are for built-in tools, audio and future features, which no request here uses. */
function isRelevant(event: StreamEvent): event is RelevantEvent {
  return (RELEVANT as readonly string[]).includes(event.type);
}

async function startItem(item: Item, index: number, progress: Progress, names: ToolNames, emit: Emit): Promise<void> {
  if (item.type === 'reasoning') return await emit({ type: 'thought' });
  if (item.type !== 'function_call') return;
  progress.openCalls.set(index, 0);
  progress.calls.add(asText(item.call_id));
  await emit({ type: 'call_start', index, call_id: item.call_id, tool: names.fromWire(item.name) });
}

async function addArguments(given: unknown, index: number, progress: Progress, emit: Emit): Promise<void> {
  const length = progress.openCalls.get(index);
  const delta = asText(given);
  if (length === undefined || delta === '') return;
  progress.openCalls.set(index, length + delta.length);
  await emit({ type: 'call_delta', index, arguments_delta: delta });
}

/** Some servers send no deltas: a text, a call or its arguments arrive only with the end of the item. */
async function endItem(item: Item, index: number, progress: Progress, names: ToolNames, emit: Emit): Promise<void> {
  if (item.type === 'message' && !progress.spoken.has(index)) return await speak(item, index, progress, emit);
  if (item.type !== 'function_call') return;
  if (!progress.openCalls.has(index)) await startItem(item, index, progress, names, emit);
  await endCall(item.arguments, index, progress, emit);
}

async function endCall(given: unknown, index: number, progress: Progress, emit: Emit): Promise<void> {
  const length = progress.openCalls.get(index);
  progress.openCalls.delete(index);
  if (length === 0) await emit({ type: 'call_delta', index, arguments_delta: asText(given) || '{}' });
  await emit({ type: 'call_end', index });
}

/** Some servers send the end of an item, or the whole of it, with the end of the answer alone. */
async function takeOver(
  { output }: OpenAI.Responses.Response,
  progress: Progress,
  names: ToolNames,
  emit: Emit,
): Promise<void> {
  for (const [index, item] of (output ?? []).entries()) {
    const isNew =
      item.type === 'function_call' ? !progress.calls.has(asText(item.call_id)) : progress.spoken.size === 0;
    if (isNew || progress.openCalls.has(index)) await endItem(item, index, progress, names, emit);
  }
  for (const index of progress.openCalls.keys()) await endCall('', index, progress, emit);
}

async function speak(
  { content }: OpenAI.Responses.ResponseOutputMessage,
  index: number,
  progress: Progress,
  emit: Emit,
): Promise<void> {
  progress.spoken.add(index);
  for (const block of content ?? []) {
    const text = asText(block.type === 'refusal' ? block.refusal : block.text);
    progress.refused ||= block.type === 'refusal';
    if (text !== '') await emit({ type: 'text_delta', text });
  }
}

async function finish(response: OpenAI.Responses.Response, progress: Progress, emit: Emit): Promise<AttemptOutcome> {
  if (response.usage !== undefined && response.usage !== null) {
    const { input_tokens, output_tokens, input_tokens_details } = response.usage;
    const cached = input_tokens_details?.cached_tokens ?? 0;
    const usage = { input_tokens: Math.max(0, input_tokens - cached), output_tokens, cache_read_tokens: cached };
    await emit({ type: 'usage', usage });
  }
  const reason = response.incomplete_details?.reason;
  if (reason === 'content_filter') return { kind: 'done', stop: 'refusal' };
  if (reason !== undefined || response.status === 'incomplete') return { kind: 'done', stop: 'max_tokens' };
  if (progress.calls.size > 0) return { kind: 'done', stop: 'tool_calls' };
  return { kind: 'done', stop: progress.refused ? 'refusal' : 'end_turn' };
}

function failureOf(error: { readonly code?: string | null; readonly message?: string } | null): AttemptOutcome {
  const message = error?.message ?? 'the service gave up on the answer';
  const { code, retryable } = failureInStream(error?.code ?? null, message) ?? {
    code: 'server_error',
    retryable: true,
  };
  return failed(code, message, { retryable });
}
