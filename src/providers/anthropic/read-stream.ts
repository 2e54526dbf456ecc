import type Anthropic from '@anthropic-ai/sdk';
import type { Usage } from '../../contracts/model/model.ts';
import { ownValue } from '../../lib/own-value.ts';
import { asText } from '../shared/as-text.ts';
import type { AttemptOutcome, Emit, Stop } from '../shared/attempt.ts';
import { failed } from '../shared/attempt.ts';
import type { ToolNames } from '../shared/tool-names.ts';

/** An unknown reason counts as an ordinary end. */
const STOPS: Readonly<Partial<Record<string, Stop>>> = {
  end_turn: 'end_turn',
  pause_turn: 'end_turn',
  tool_use: 'tool_calls',
  max_tokens: 'max_tokens',
  model_context_window_exceeded: 'max_tokens',
  stop_sequence: 'stop_sequence',
  refusal: 'refusal',
};

/** A tool call whose block is open. `input` is the block's initial input; some gateways send arguments there and not as deltas. */
interface OpenCall {
  readonly input: unknown;
  argumentsLength: number;
}

/**
 * Turns the service's stream into events. An answer counts only after `message_stop`: a stream that ends earlier was cut, even if it ended in order.
 * Throws what the stream throws.
 */
export async function readStream(
  stream: AsyncIterable<Anthropic.RawMessageStreamEvent>,
  names: ToolNames,
  emit: Emit,
): Promise<AttemptOutcome> {
  const calls = new Map<number, OpenCall>();
  let usage: Usage = { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0 };
  let stopReason: Anthropic.StopReason | null = null;
  let blocks = 0;
  for await (const event of stream) {
    switch (event.type) {
      case 'message_start':
        // A proxy between this program and the service sent the request again: the first part belongs to an unfinished answer.
        if (blocks > 0) return failed('connection', 'the answer began again in its middle', { retryable: true });
        usage = addUsage(usage, event.message.usage);
        break;
      case 'content_block_start':
        blocks += 1;
        if (event.content_block.type === 'tool_use') {
          const { id, name, input } = event.content_block;
          calls.set(event.index, { input, argumentsLength: 0 });
          await emit({ type: 'call_start', index: event.index, call_id: id, tool: names.fromWire(name) });
        } else if (event.content_block.type === 'text' && event.content_block.text !== '') {
          await emit({ type: 'text_delta', text: event.content_block.text });
        } else if (event.content_block.type === 'thinking' || event.content_block.type === 'redacted_thinking') {
          await emit({ type: 'thought' });
        }
        break;
      case 'content_block_delta':
        await readDelta(event, calls, emit);
        break;
      case 'content_block_stop':
        await endCall(event.index, calls, emit);
        break;
      case 'message_delta':
        usage = addUsage(usage, event.usage);
        stopReason = event.delta.stop_reason ?? stopReason;
        await explainRefusal(event.delta.stop_details, emit);
        break;
      case 'message_stop':
        await emit({ type: 'usage', usage });
        return outcomeOf(stopReason);
      default:
        // The service's documentation says to ignore unknown kinds of events.
        ignoreUnknown(event);
    }
  }
  return failed('connection', 'the answer was cut off', { retryable: true });
}

async function readDelta(
  event: Anthropic.RawContentBlockDeltaEvent,
  calls: ReadonlyMap<number, OpenCall>,
  emit: Emit,
): Promise<void> {
  if (event.delta.type === 'text_delta') {
    if (event.delta.text !== '') await emit({ type: 'text_delta', text: event.delta.text });
  } else if (event.delta.type === 'thinking_delta') {
    await emit({ type: 'thought', text: event.delta.thinking });
  } else if (event.delta.type === 'input_json_delta') {
    const call = calls.get(event.index);
    const piece = asText(event.delta.partial_json);
    if (call === undefined || piece === '') return;
    call.argumentsLength += piece.length;
    await emit({ type: 'call_delta', index: event.index, arguments_delta: piece });
  }
}

async function endCall(index: number, calls: Map<number, OpenCall>, emit: Emit): Promise<void> {
  const call = calls.get(index);
  if (call === undefined) return;
  calls.delete(index);
  if (call.argumentsLength === 0) {
    await emit({ type: 'call_delta', index, arguments_delta: JSON.stringify(call.input ?? {}) });
  }
  await emit({ type: 'call_end', index });
}

/** A refusal often contains no text of the model; then the service's explanation is used. */
async function explainRefusal(details: Anthropic.RefusalStopDetails | null | undefined, emit: Emit): Promise<void> {
  const explanation = details?.explanation ?? '';
  if (explanation !== '') await emit({ type: 'text_delta', text: explanation });
}

interface WireUsage {
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cache_read_input_tokens: number | null;
  readonly cache_creation_input_tokens: number | null;
}

/** The service's numbers are totals so far; later ones replace earlier ones. Tokens written to the cache count as input. */
function addUsage(before: Usage, wire: Partial<WireUsage> | null | undefined): Usage {
  const written = wire?.cache_creation_input_tokens ?? 0;
  return {
    input_tokens: typeof wire?.input_tokens === 'number' ? wire.input_tokens + written : before.input_tokens,
    output_tokens: wire?.output_tokens ?? before.output_tokens,
    cache_read_tokens: wire?.cache_read_input_tokens ?? before.cache_read_tokens,
    cache_write_tokens: wire?.cache_creation_input_tokens ?? before.cache_write_tokens ?? 0,
  };
}

function outcomeOf(reason: Anthropic.StopReason | null): AttemptOutcome {
  if (reason === null) return failed('protocol', 'the answer ended without a stop reason');
  return { kind: 'done', stop: ownValue(STOPS, reason) ?? 'end_turn' };
}

function ignoreUnknown(_event: never): void {}
