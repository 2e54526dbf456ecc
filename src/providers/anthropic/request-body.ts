import type Anthropic from '@anthropic-ai/sdk';
import type { ModelRequest } from '../../contracts/model.ts';
import type { Turn } from '../shared/conversation.ts';
import { argumentsObject, toTurns } from '../shared/conversation.ts';
import type { ToolNames } from '../shared/tool-names.ts';
import { wireCallId } from '../shared/tool-names.ts';

const CACHE = { cache_control: { type: 'ephemeral' as const } };

/**
 * The Messages request. Four cache markers, as many as the service takes: after the tools, after the system text, and after the
 * last two turns of the user's side, so that the next request finds this one's prefix even when the system text has changed.
 */
export function requestBody(request: ModelRequest, names: ToolNames): Anthropic.MessageCreateParamsStreaming {
  const system =
    request.system.trim() === '' ? {} : { system: [{ type: 'text' as const, text: request.system, ...CACHE }] };
  const tools = request.tools.length === 0 ? {} : { tools: toolParams(request, names) };
  return {
    model: request.model,
    max_tokens: request.max_output_tokens,
    stream: true,
    messages: markLastUserTurns(toTurns(request.messages).map((turn) => messageParam(turn, names))),
    ...system,
    ...tools,
  };
}

function toolParams(request: ModelRequest, names: ToolNames): Anthropic.Tool[] {
  return request.tools.map((tool, index) => ({
    name: names.toWire(tool.name),
    description: tool.description,
    input_schema: { ...tool.input_schema, type: 'object' as const },
    ...(index === request.tools.length - 1 ? CACHE : {}),
  }));
}

interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: (Anthropic.TextBlockParam | Anthropic.ToolUseBlockParam | Anthropic.ToolResultBlockParam)[];
}

/** Results stand before any text: the service insists on it. Empty text blocks are refused, so there are none. */
function messageParam(turn: Turn, names: ToolNames): Message {
  if (turn.role === 'assistant') {
    const text = turn.text.trim() === '' ? [] : [{ type: 'text' as const, text: turn.text.trimEnd() }];
    const calls = turn.calls.map((call) => ({
      type: 'tool_use' as const,
      id: wireCallId(call.call_id),
      name: names.toWire(call.tool),
      input: argumentsObject(call.arguments),
    }));
    return { role: 'assistant', content: [...text, ...calls] };
  }
  const results = turn.results.map((result) => ({
    type: 'tool_result' as const,
    tool_use_id: wireCallId(result.call_id),
    content: result.content,
    is_error: !result.ok,
  }));
  return { role: 'user', content: [...results, ...turn.texts.map((text) => ({ type: 'text' as const, text }))] };
}

function markLastUserTurns(messages: readonly Message[]): Message[] {
  const marked = new Set(messages.filter(({ role }) => role === 'user').slice(-2));
  return messages.map((message) => {
    const last = message.content.at(-1);
    if (!marked.has(message) || last === undefined) return message;
    return { ...message, content: [...message.content.slice(0, -1), { ...last, ...CACHE }] };
  });
}
