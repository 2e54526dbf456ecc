import { z } from 'zod';
import type { Script, ScriptedTurn } from './script.ts';
import type { SseEvent, Wire, WireServer } from './wire-server.ts';
import { argumentsText, pieces, startWireServer } from './wire-server.ts';

/**
 * A scripted model behind the Responses API. Give its `url` to the program under test as `FLUFFY_OPENAI_BASE_URL`, with any
 * `OPENAI_API_KEY`.
 */
export async function startResponsesServer(script: Script): Promise<WireServer> {
  return await startWireServer(responsesWire, script);
}

const itemSchema = z.object({
  type: z.string().optional(),
  role: z.string().optional(),
  content: z.unknown().optional(),
  call_id: z.string().optional(),
  output: z.string().optional(),
});
const requestSchema = z.object({
  model: z.string(),
  instructions: z.string().default(''),
  tools: z.array(z.object({ name: z.string() })).default([]),
  input: z.array(itemSchema),
});

/** What the service calls these inside a stream. */
const CODES: Readonly<Partial<Record<string, string>>> = {
  rate_limit_error: 'rate_limit_exceeded',
  overloaded_error: 'server_is_overloaded',
  invalid_request_error: 'invalid_prompt',
};

const responsesWire: Wire = {
  accepts: (path) => path === '/v1/responses',
  view: (body) => {
    const request = requestSchema.parse(body);
    const lastAssistant = request.input.findLastIndex(
      ({ role, type }) => role === 'assistant' || type === 'function_call',
    );
    const latest = request.input.slice(lastAssistant + 1);
    return {
      model: request.model,
      system: request.instructions,
      tools: request.tools.map(({ name }) => name),
      results: latest.flatMap((item) =>
        item.type === 'function_call_output' ? [{ callId: item.call_id ?? '', content: item.output ?? '' }] : [],
      ),
      lastText: latest.flatMap(({ role, content }) => (role === 'user' ? [String(content)] : [])).join(''),
    };
  },
  events: turnEvents,
  errorEvent: (type, message) => ({
    event: 'error',
    data: JSON.stringify({ type: 'error', code: CODES[type] ?? type, message, param: null, sequence_number: 99 }),
  }),
  errorBody: (type, message) => ({ error: { message, type, param: null, code: null } }),
};

function turnEvents(
  turn: ScriptedTurn,
  request: { readonly index: number; readonly model: string },
): readonly SseEvent[] {
  const usage = turn.usage ?? { input: 100, output: 20, cacheRead: 0 };
  const length = turn.chunkLength ?? 16;
  const text = turn.text ?? '';
  const calls = turn.calls ?? [];
  const stop = turn.stop ?? (calls.length > 0 ? 'tool_calls' : 'end_turn');
  const response = {
    id: `resp_${request.index}`,
    object: 'response',
    model: request.model,
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    output: [] as unknown[],
    usage: null as unknown,
  };
  const items = [
    ...((turn.thinking ?? '') === '' ? [] : [reasoningItem()]),
    ...(text === '' ? [] : [messageItem(text, length, stop === 'refusal')]),
    ...calls.map((call, position) => {
      const id = call.id ?? `call_${request.index}_${position}`;
      return callItem(id, call.tool.replaceAll('.', '_'), argumentsText(call), length);
    }),
  ];
  const final = {
    ...response,
    status: stop === 'max_tokens' ? 'incomplete' : 'completed',
    incomplete_details: stop === 'max_tokens' ? { reason: 'max_output_tokens' } : null,
    output: items.map(({ item }) => item),
    usage: {
      // The service counts what it read from its cache as input too.
      input_tokens: usage.input + usage.cacheRead,
      input_tokens_details: { cached_tokens: usage.cacheRead },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.input + usage.cacheRead + usage.output,
    },
  };
  const events = [
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
    ...items.flatMap(({ events: itemEvents }, index) => itemEvents.map((event) => ({ ...event, output_index: index }))),
    { type: stop === 'max_tokens' ? 'response.incomplete' : 'response.completed', response: final },
  ];
  return events.map((event, index) => ({
    event: event.type,
    data: JSON.stringify({ ...event, sequence_number: index }),
  }));
}

interface StreamedItem {
  readonly item: Readonly<Record<string, unknown>>;
  readonly events: readonly ({ readonly type: string } & Readonly<Record<string, unknown>>)[];
}

function reasoningItem(): StreamedItem {
  const item = { id: 'rs_1', type: 'reasoning', summary: [] };
  return {
    item,
    events: [
      { type: 'response.output_item.added', item },
      { type: 'response.output_item.done', item },
    ],
  };
}

function messageItem(text: string, length: number, refused: boolean): StreamedItem {
  const kind = refused ? 'refusal' : 'output_text';
  const part = refused ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations: [] };
  const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [part] };
  const place = { item_id: 'msg_1', content_index: 0 };
  return {
    item,
    events: [
      { type: 'response.output_item.added', item: { ...item, status: 'in_progress', content: [] } },
      { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
      ...pieces(text, length).map((delta) => ({ type: `response.${kind}.delta`, ...place, delta })),
      { type: `response.${kind}.done`, ...place, text },
      { type: 'response.content_part.done', ...place, part },
      { type: 'response.output_item.done', item },
    ],
  };
}

function callItem(callId: string, name: string, text: string, length: number): StreamedItem {
  const id = `fc_${callId}`;
  const item = { id, type: 'function_call', status: 'completed', call_id: callId, name, arguments: text };
  return {
    item,
    events: [
      { type: 'response.output_item.added', item: { ...item, status: 'in_progress', arguments: '' } },
      ...pieces(text, length).map((delta) => ({ type: 'response.function_call_arguments.delta', item_id: id, delta })),
      { type: 'response.function_call_arguments.done', item_id: id, arguments: text },
      { type: 'response.output_item.done', item },
    ],
  };
}
