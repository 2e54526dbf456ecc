import { z } from 'zod';
import type { Script, ScriptedRequest, ScriptedTurn } from './script.ts';
import { countedTokens } from './script.ts';
import type { SseEvent, Wire, WireServer, WireServerOptions } from './wire-server.ts';
import { argumentsText, pieces, startWireServer } from './wire-server.ts';

/**
 * A scripted model behind the Messages API. Give its `url` to the program under test as `FLUFFY_ANTHROPIC_BASE_URL`, with any
 * `ANTHROPIC_API_KEY`.
 */
export async function startAnthropicServer(script: Script, options: WireServerOptions = {}): Promise<WireServer> {
  return await startWireServer(anthropicWire(), script, options);
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

/** A thought that was sent before a call: it has to come back before that call, unchanged, as long as the model thinks on. */
interface Issued {
  readonly model: string;
  readonly block: object;
}

function anthropicWire(): Wire {
  const issued = new Map<string, Issued>();
  return {
    ...PLAIN_WIRE,
    events: (turn, request) => turnEvents(turn, request, issued),
    refuses: ({ body, model }) => refusalOf(body, model, issued),
  };
}

type Block = Readonly<Record<string, unknown>>;

/** Thoughts that are another model's or were changed, and calls of this turn without theirs, where the model is to think. */
function refusalOf(body: ScriptedRequest['body'], model: string, issued: ReadonlyMap<string, Issued>): string | null {
  const messages = body['messages'] as readonly {
    readonly role: string;
    readonly content: string | readonly Block[];
  }[];
  const lastWords = messages.findLastIndex(
    ({ role, content }) =>
      role === 'user' && (typeof content === 'string' || content.some(({ type }) => type === 'text')),
  );
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== 'assistant' || typeof content === 'string') continue;
    const call = content.find(({ type }) => type === 'tool_use');
    const known = call === undefined ? undefined : issued.get(String(call['id']));
    const thought = content.find(({ type }) => type === 'thinking');
    const isSame = JSON.stringify(thought) === JSON.stringify(known?.block) && known?.model === model;
    if (thought !== undefined && !isSame) return `messages.${index}: \`thinking\` blocks cannot be modified`;
    const thinksOn = body['thinking'] !== undefined && index > lastWords;
    if (thinksOn && known !== undefined && content[0] !== thought)
      return `messages.${index}.content.0.type: Expected \`thinking\`, but found \`${String(content[0]?.['type'])}\``;
  }
  return null;
}

const PLAIN_WIRE: Omit<Wire, 'events'> = {
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
  issued: Map<string, Issued>,
): readonly SseEvent[] {
  const counted = countedTokens(turn);
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
    ...(counted === null
      ? {}
      : {
          usage: {
            input_tokens: counted.input,
            output_tokens: 1,
            cache_read_input_tokens: counted.cacheRead,
            cache_creation_input_tokens: counted.cacheWrite ?? 0,
          },
        }),
  };
  const signature = `signed:${thinking.length}`;
  const firstId = calls[0] === undefined ? undefined : (calls[0].id ?? `toolu_${request.index}_0`);
  if (thinking !== '' && firstId !== undefined)
    issued.set(firstId, { model: request.model, block: { type: 'thinking', thinking, signature } });
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
      delta: { type: 'signature_delta', signature },
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
      ...(counted === null ? {} : { usage: { output_tokens: counted.output } }),
    },
    { type: 'message_stop' },
  ].map(named);
}
