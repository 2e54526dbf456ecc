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
  /** Calls that have not ended, by the item's output index. */
  readonly openCalls: Map<number, OpenCall>;
  /** The number of calls, including those that have ended. */
  calls: number;
  refused: boolean;
}

interface OpenCall {
  readonly id: string;
  /** The length of the streamed arguments, in characters. */
  length: number;
  /** The service said that the arguments are complete. */
  isWhole: boolean;
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
  const progress: Progress = { spoken: new Set(), openCalls: new Map(), calls: 0, refused: false };
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
        await endArguments(event.arguments, event.output_index, progress, emit);
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
  progress.openCalls.set(index, { id: asText(item.call_id), length: 0, isWhole: false });
  progress.calls += 1;
  await emit({ type: 'call_start', index, call_id: item.call_id, tool: names.fromWire(item.name) });
}

async function addArguments(given: unknown, index: number, progress: Progress, emit: Emit): Promise<void> {
  const call = progress.openCalls.get(index);
  const delta = asText(given);
  if (call === undefined || delta === '') return;
  call.length += delta.length;
  await emit({ type: 'call_delta', index, arguments_delta: delta });
}

async function endArguments(given: unknown, index: number, progress: Progress, emit: Emit): Promise<void> {
  const call = progress.openCalls.get(index);
  if (call === undefined) return;
  if (call.length === 0) await addArguments(given, index, progress, emit);
  call.isWhole = true;
}

/** Some servers send no deltas: a text, a call or its arguments arrive only with the end of the item. */
async function endItem(item: Item, index: number, progress: Progress, names: ToolNames, emit: Emit): Promise<void> {
  if (item.type === 'message' && !progress.spoken.has(index)) return await speak(item, index, progress, emit);
  if (item.type !== 'function_call') return;
  const opened = progress.openCalls.has(index) ? index : openIndexOf(item, progress);
  if (opened === null) await startItem(item, index, progress, names, emit);
  await endCall(item.arguments, opened ?? index, progress, emit);
}

/** The output index at which a call began: some servers end it at another one. Null if no open call has its id. */
function openIndexOf({ call_id }: OpenAI.Responses.ResponseFunctionToolCall, { openCalls }: Progress): number | null {
  for (const [index, { id }] of openCalls) if (id !== '' && id === call_id) return index;
  return null;
}

async function endCall(given: unknown, index: number, progress: Progress, emit: Emit): Promise<void> {
  const call = progress.openCalls.get(index);
  progress.openCalls.delete(index);
  if (call?.length === 0) await emit({ type: 'call_delta', index, arguments_delta: asText(given) || '{}' });
  await emit({ type: 'call_end', index });
}

/**
 * Some servers send the end of an item, or the whole item, only with the end of the answer. What has been streamed is never taken again: some
 * servers give a call another id here. An open call ends only if its arguments are known in full; otherwise the answer counts as unfinished.
 */
async function takeOver(
  { output }: OpenAI.Responses.Response,
  progress: Progress,
  names: ToolNames,
  emit: Emit,
): Promise<void> {
  const hadCalls = progress.calls > 0;
  const hadText = progress.spoken.size > 0;
  for (const [index, item] of (output ?? []).entries()) {
    if (item.type === 'message' && !hadText) await speak(item, index, progress, emit);
    if (item.type !== 'function_call') continue;
    if (!hadCalls) await endItem(item, index, progress, names, emit);
    const opened = openIndexOf(item, progress);
    const length = opened === null ? undefined : progress.openCalls.get(opened)?.length;
    if (opened !== null && (length === 0 || length === asText(item.arguments).length))
      await endCall(item.arguments, opened, progress, emit);
  }
  for (const [index, { isWhole }] of progress.openCalls) if (isWhole) await endCall('', index, progress, emit);
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
  if (progress.openCalls.size > 0) return failed('protocol', 'a call was left unfinished');
  if (progress.calls > 0) return { kind: 'done', stop: 'tool_calls' };
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
