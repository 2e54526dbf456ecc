import type Anthropic from '@anthropic-ai/sdk';
import type { ModelCall, ModelRequest } from '../../contracts/model/model.ts';
import type { AssistantTurn, Turn } from '../shared/conversation.ts';
import { argumentsObject, toTurns } from '../shared/conversation.ts';
import type { ToolNames } from '../shared/tool-names.ts';
import { wireCallId } from '../shared/tool-names.ts';
import type { Recall, ThinkingMemory } from './thinking-memory.ts';
import { thinkingParams } from './thinking-params.ts';

const CACHE = { cache_control: { type: 'ephemeral' as const } };

/**
 * The Messages request. It has four cache markers, the service's maximum: after the tools, after the system text, and after the last two turns of the
 * user's side. The service looks back at most 20 blocks from a marker, and an answer with its results may have more. The marker on the turn before
 * the last is exactly where the previous request had its last marker.
 */
export function requestBody(
  request: ModelRequest,
  names: ToolNames,
  memory: Pick<ThinkingMemory, 'recall'>,
): Anthropic.MessageCreateParamsStreaming {
  const system =
    request.system.trim() === '' ? {} : { system: [{ type: 'text' as const, text: request.system, ...CACHE }] };
  const tools = request.tools.length === 0 ? {} : { tools: toolParams(request, names) };
  const recall: Recall = ({ calls, text }) => {
    const ids = calls.map(({ call_id }) => call_id);
    return memory.recall(request.model, ids, text);
  };
  const turns = toTurns(request.messages);
  return {
    model: request.model,
    max_tokens: request.max_output_tokens,
    stream: true,
    messages: markLastUserTurns(turns.map((turn) => messageParam(turn, names, recall))),
    ...thinkingParams(request, turns, recall),
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
  readonly content: Block[];
}

type Block =
  | Anthropic.TextBlockParam
  | Anthropic.ImageBlockParam
  | Anthropic.ToolUseBlockParam
  | Anthropic.ToolResultBlockParam
  | Anthropic.ThinkingBlockParam
  | Anthropic.RedactedThinkingBlockParam;

/** The service requires results before any text, and refuses empty text blocks. */
function messageParam(turn: Turn, names: ToolNames, recall: Recall): Message {
  if (turn.role === 'assistant') return { role: 'assistant', content: assistantBlocks(turn, names, recall) };
  const results = turn.results.map((result) => ({
    type: 'tool_result' as const,
    tool_use_id: wireCallId(result.call_id),
    content: result.content,
    is_error: !result.ok,
  }));
  const images = turn.images.map(({ media_type, data }) => ({
    type: 'image' as const,
    source: { type: 'base64' as const, media_type, data },
  }));
  return {
    role: 'user',
    content: [...results, ...images, ...turn.texts.map((text) => ({ type: 'text' as const, text }))],
  };
}

function assistantBlocks(turn: AssistantTurn, names: ToolNames, recall: Recall): Block[] {
  const text = (content: string): Block[] => (content.trim() === '' ? [] : [{ type: 'text', text: content.trimEnd() }]);
  const call = ({ call_id, tool, arguments: input }: ModelCall): Block => ({
    type: 'tool_use',
    id: wireCallId(call_id),
    name: names.toWire(tool),
    input: argumentsObject(input),
  });
  const remembered = recall(turn);
  if (remembered === null) return [...text(turn.text), ...turn.calls.map(call)];
  return remembered.flatMap((part): Block[] => {
    if (part.kind === 'thinking') return [part.block];
    if (part.kind === 'text') return text(part.text);
    return turn.calls.filter(({ call_id }) => call_id === part.callId).map(call);
  });
}

function markLastUserTurns(messages: readonly Message[]): Message[] {
  const marked = new Set(messages.filter(({ role }) => role === 'user').slice(-2));
  return messages.map((message) => {
    const last = message.content.at(-1);
    // Thinking blocks take no marker, and are never on the user's side.
    if (!marked.has(message) || last === undefined || isThinking(last)) return message;
    return { ...message, content: [...message.content.slice(0, -1), { ...last, ...CACHE }] };
  });
}

function isThinking(block: Block): block is Anthropic.ThinkingBlockParam | Anthropic.RedactedThinkingBlockParam {
  return block.type === 'thinking' || block.type === 'redacted_thinking';
}
