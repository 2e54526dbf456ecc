import { z } from 'zod';
import type { Script, ScriptedTurn } from './script.ts';
import type { SseEvent, Wire, WireServer, WireServerOptions } from './wire-server.ts';
import { argumentsText, pieces, startWireServer } from './wire-server.ts';

/**
 * A scripted model behind the Messages API. Give its `url` to the program under test as `FLUFFY_ANTHROPIC_BASE_URL`, with any
 * `ANTHROPIC_API_KEY`.
 */
export async function startAnthropicServer(script: Script, options: WireServerOptions = {}): Promise<WireServer> {
  return await startWireServer(anthropicWire, script, options);
}

const textSchema = z.object({ type: z.literal('text'), text: z.string() });
const resultSchema = z.object({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(textSchema)]),
});
const requestSchema = z.object({
  model: z.string(),
  system: z.union([z.string(), z.array(textSchema)]).default(''),
  tools: z.array(z.object({ name: z.string() })).default([]),
  messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(z.unknown())]) })),
});

const anthropicWire: Wire = {
  accepts: (path) => path === '/v1/messages',
  view: (body) => {
    const request = requestSchema.parse(body);
    const content = request.messages.at(-1)?.content ?? [];
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return {
      model: request.model,
      system: joinText(request.system),
      tools: request.tools.map(({ name }) => name),
      results: blocks.flatMap((block) => {
        const result = resultSchema.safeParse(block);
        return result.success ? [{ callId: result.data.tool_use_id, content: joinText(result.data.content) }] : [];
      }),
      lastText: blocks.map((block) => textSchema.safeParse(block).data?.text ?? '').join(''),
    };
  },
  events: turnEvents,
  errorEvent: (type, message) => named({ type: 'error', error: { type, message } }),
  errorBody: (type, message) => ({ type: 'error', error: { type, message }, request_id: 'req_scripted' }),
};

function joinText(content: string | readonly { readonly text: string }[]): string {
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('');
}

function named(data: { readonly type: string } & Readonly<Record<string, unknown>>): SseEvent {
  return { event: data.type, data: JSON.stringify(data) };
}

function turnEvents(
  turn: ScriptedTurn,
  request: { readonly index: number; readonly model: string },
): readonly SseEvent[] {
  const usage: NonNullable<ScriptedTurn['usage']> = turn.usage ?? { input: 100, output: 20, cacheRead: 0 };
  const length = turn.chunkLength ?? 16;
  const text = turn.text ?? '';
  const calls = turn.calls ?? [];
  const thinking = turn.thinking ?? '';
  const textIndex = thinking === '' ? 0 : 1;
  const firstCall = textIndex + (text === '' ? 0 : 1);
  const message = {
    id: `msg_scripted_${request.index}`,
    type: 'message',
    role: 'assistant',
    model: request.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: usage.input,
      output_tokens: 1,
      cache_read_input_tokens: usage.cacheRead,
      cache_creation_input_tokens: usage.cacheWrite ?? 0,
    },
  };
  const textEvents = [
    { type: 'content_block_start', index: textIndex, content_block: { type: 'text', text: '' } },
    ...pieces(text, length).map((piece) => ({
      type: 'content_block_delta',
      index: textIndex,
      delta: { type: 'text_delta', text: piece },
    })),
    { type: 'content_block_stop', index: textIndex },
  ];
  const thinkingEvents = [
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
    ...pieces(thinking, length).map((piece) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'thinking_delta', thinking: piece },
    })),
    {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'signature_delta', signature: `signed:${thinking.length}` },
    },
    { type: 'content_block_stop', index: 0 },
  ];
  const callEvents = calls.flatMap((call, position) => {
    const index = firstCall + position;
    const id = call.id ?? `toolu_${request.index}_${position}`;
    return [
      {
        type: 'content_block_start',
        index,
        content_block: { type: 'tool_use', id, name: call.tool.replaceAll('.', '_'), input: {} },
      },
      ...['', ...pieces(argumentsText(call), length)].map((piece) => ({
        type: 'content_block_delta',
        index,
        delta: { type: 'input_json_delta', partial_json: piece },
      })),
      { type: 'content_block_stop', index },
    ];
  });
  const stop = turn.stop ?? (calls.length > 0 ? 'tool_calls' : 'end_turn');
  return [
    { type: 'message_start', message },
    { type: 'ping' },
    ...(thinking === '' ? [] : thinkingEvents),
    ...(text === '' ? [] : textEvents),
    ...callEvents,
    {
      type: 'message_delta',
      delta: { stop_reason: stop === 'tool_calls' ? 'tool_use' : stop, stop_sequence: null },
      usage: { output_tokens: usage.output },
    },
    { type: 'message_stop' },
  ].map(named);
}
