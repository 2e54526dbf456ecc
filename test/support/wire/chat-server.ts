import { z } from 'zod';
import type { Script, ScriptedCall, ScriptedTurn } from './script.ts';
import { countedTokens } from './script.ts';
import type { SseEvent, Wire, WireServer } from './wire-server.ts';
import { argumentsText, pieces, startWireServer } from './wire-server.ts';

/** How compatible servers differ from the service they are compatible with. */
export interface ChatDialect {
  /** Every call has the number 0. */
  readonly sameIndex?: boolean;
  /** Calls have no ids. */
  readonly noIds?: boolean;
  /** Each call comes in one piece. */
  readonly wholeCalls?: boolean;
  /** No tokens are counted. */
  readonly noUsage?: boolean;
  /** The finish reason is `stop` even where there are calls. */
  readonly finishIsStop?: boolean;
  /** The stream ends without `[DONE]`. */
  readonly noDone?: boolean;
}

/** A scripted model behind Chat Completions: a local server, a router. Its base URL for `providers.<name>` is `${url}/v1`. */
export async function startChatServer(script: Script, dialect: ChatDialect = {}): Promise<WireServer> {
  return await startWireServer(chatWire(dialect), script);
}

/** Words, or parts of which one may be an image. */
const content = z.union([z.string(), z.array(z.unknown()).transform((parts) => JSON.stringify(parts))]).nullish();
const requestSchema = z.object({
  model: z.string(),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).default([]),
  messages: z.array(z.object({ role: z.string(), content, tool_call_id: z.string().optional() })),
});

function chatWire(dialect: ChatDialect): Wire {
  return {
    accepts: (path) => path === '/v1/chat/completions',
    view: (body) => {
      const request = requestSchema.parse(body);
      const lastAssistant = request.messages.findLastIndex(({ role }) => role === 'assistant');
      const latest = request.messages.slice(lastAssistant + 1);
      return {
        model: request.model,
        system: request.messages.find(({ role }) => role === 'system')?.content ?? '',
        tools: request.tools.map((tool) => tool.function.name),
        results: latest.flatMap(({ role, tool_call_id, content }) =>
          role === 'tool' ? [{ callId: tool_call_id ?? '', content: content ?? '' }] : [],
        ),
        lastText: latest.flatMap(({ role, content }) => (role === 'user' ? [content ?? ''] : [])).join(''),
      };
    },
    events: (turn, request) => turnEvents(turn, request, dialect),
    errorEvent: (type, message) => ({ data: JSON.stringify({ error: { type, message, code: null, param: null } }) }),
    errorBody: (type, message) => ({ error: { message, type, param: null, code: null } }),
  };
}

function turnEvents(
  turn: ScriptedTurn,
  request: { readonly index: number; readonly model: string },
  dialect: ChatDialect,
): readonly SseEvent[] {
  const usage = dialect.noUsage === true ? null : countedTokens(turn);
  const length = turn.chunkLength ?? 16;
  const calls = turn.calls ?? [];
  const stop = turn.stop ?? (calls.length > 0 ? 'tool_calls' : 'end_turn');
  const common = {
    id: `chatcmpl-${request.index}`,
    object: 'chat.completion.chunk',
    created: 0,
    model: request.model,
  };
  const chunk = (delta: unknown, finish: string | null = null): unknown => ({
    ...common,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const textMember = stop === 'refusal' ? 'refusal' : 'content';
  const chunks = [
    chunk({ role: 'assistant', content: '' }),
    ...pieces(turn.thinking ?? '', length).map((piece) => chunk({ reasoning_content: piece })),
    ...pieces(turn.text ?? '', length).map((piece) => chunk({ [textMember]: piece })),
    ...calls.flatMap((call, position) =>
      callDeltas(call, position, request.index, length, dialect).map((delta) => chunk({ tool_calls: [delta] })),
    ),
    chunk({}, finishReason(stop, dialect)),
    ...(usage === null
      ? []
      : [
          {
            ...common,
            choices: [],
            usage: {
              prompt_tokens: usage.input + usage.cacheRead,
              prompt_tokens_details: { cached_tokens: usage.cacheRead },
              completion_tokens: usage.output,
              total_tokens: usage.input + usage.cacheRead + usage.output,
            },
          },
        ]),
  ].map((value) => ({ data: JSON.stringify(value) }));
  return dialect.noDone === true ? chunks : [...chunks, { data: '[DONE]' }];
}

function finishReason(stop: string, dialect: ChatDialect): string {
  if (stop === 'max_tokens') return 'length';
  return stop === 'tool_calls' && dialect.finishIsStop !== true ? 'tool_calls' : 'stop';
}

function callDeltas(
  call: ScriptedCall,
  position: number,
  requestIndex: number,
  length: number,
  dialect: ChatDialect,
): readonly unknown[] {
  const index = dialect.sameIndex === true ? 0 : position;
  const id = dialect.noIds === true ? {} : { id: call.id ?? `call_${requestIndex}_${position}` };
  const name = call.tool.replaceAll('.', '_');
  const text = argumentsText(call);
  if (dialect.wholeCalls === true) return [{ index, ...id, type: 'function', function: { name, arguments: text } }];
  return [
    { index, ...id, type: 'function', function: { name, arguments: '' } },
    ...pieces(text, length).map((piece) => ({ index, function: { arguments: piece } })),
  ];
}
