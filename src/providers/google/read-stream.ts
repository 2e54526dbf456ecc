import { randomUUID } from 'node:crypto';
import type {
  FunctionCall,
  GenerateContentResponse,
  GenerateContentResponseUsageMetadata,
  Part,
} from '@google/genai/web';
import type { Usage } from '../../contracts/model/model.ts';
import type { AttemptOutcome, Emit } from '../shared/attempt.ts';
import { failed } from '../shared/attempt.ts';
import { withoutLongRest } from '../shared/rest-of-stream.ts';
import type { ToolNames } from '../shared/tool-names.ts';
import type { SignatureMemory } from './signature-memory.ts';

/** The parameters for reading an answer. */
interface Reading {
  readonly model: string;
  readonly names: ToolNames;
  readonly memory: Pick<SignatureMemory, 'remember'>;
  readonly emit: Emit;
}

/** The service ended the answer because of its content. */
const REFUSALS = new Set([
  ...['SAFETY', 'RECITATION', 'LANGUAGE', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII'],
  ...['IMAGE_SAFETY', 'IMAGE_PROHIBITED_CONTENT', 'IMAGE_RECITATION'],
]);
/** The service could not parse the model's output: another attempt may succeed. */
const MALFORMED = new Set([
  'MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
  'MALFORMED_RESPONSE',
  'TOO_MANY_TOOL_CALLS',
]);

/**
 * Turns the service's stream into events. Calls arrive complete. An answer counts only if it has a reason for its end, or if the prompt was blocked;
 * a stream that ends earlier was cut. Throws what the stream throws.
 */
export async function readStream(
  stream: AsyncIterable<GenerateContentResponse>,
  reading: Reading,
): Promise<AttemptOutcome> {
  let calls = 0;
  let finish: string | null = null;
  let usage: Usage | null = null;
  for await (const chunk of withoutLongRest(stream, () => finish !== null)) {
    if (chunk.usageMetadata !== undefined) usage = usageOf(chunk.usageMetadata);
    if (chunk.promptFeedback?.blockReason !== undefined) finish ??= 'SAFETY';
    const candidate = chunk.candidates?.[0];
    for (const part of candidate?.content?.parts ?? []) {
      if (await readPart(part, calls, reading)) calls += 1;
    }
    finish = candidate?.finishReason ?? finish;
  }
  if (finish === null) return failed('connection', 'the answer was cut off', { retryable: true });
  if (MALFORMED.has(finish)) {
    return failed('server_error', `the service could not read the answer of the model (${finish})`, {
      retryable: true,
    });
  }
  if (usage !== null) await reading.emit({ type: 'usage', usage });
  if (REFUSALS.has(finish)) return { kind: 'done', stop: 'refusal' };
  if (finish === 'MAX_TOKENS') return { kind: 'done', stop: 'max_tokens' };
  return { kind: 'done', stop: calls > 0 ? 'tool_calls' : 'end_turn' };
}

/** Returns whether the part was a call. */
async function readPart(part: Part, index: number, { model, names, memory, emit }: Reading): Promise<boolean> {
  const { functionCall, thought, thoughtSignature, text } = part;
  if (thought === true) await emit({ type: 'thought', text: text ?? '' });
  else if (text !== undefined && text !== '') await emit({ type: 'text_delta', text });
  if (functionCall === undefined) return false;
  const callId = idOf(functionCall);
  if (thoughtSignature !== undefined) memory.remember(model, callId, thoughtSignature);
  await emit({ type: 'call_start', index, call_id: callId, tool: names.fromWire(functionCall.name ?? '') });
  await emit({ type: 'call_delta', index, arguments_delta: JSON.stringify(functionCall.args ?? {}) });
  await emit({ type: 'call_end', index });
  return true;
}

/** Many models give no id. Signatures are stored by the id, so it must be unique. */
function idOf({ id }: FunctionCall): string {
  return id === undefined || id === '' ? `call_${randomUUID()}` : id;
}

/** The prompt's count includes tokens from the cache; thoughts count as output. */
function usageOf(wire: GenerateContentResponseUsageMetadata): Usage {
  const cached = wire.cachedContentTokenCount ?? 0;
  return {
    input_tokens: (wire.promptTokenCount ?? 0) - cached,
    output_tokens: (wire.candidatesTokenCount ?? 0) + (wire.thoughtsTokenCount ?? 0),
    cache_read_tokens: cached,
  };
}
