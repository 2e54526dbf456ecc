import type OpenAI from 'openai';
import type { ModelRequest } from '../../contracts/model/model.ts';
import type { Turn } from '../shared/conversation.ts';
import { argumentsObject, dataUrl, toTurns } from '../shared/conversation.ts';
import type { ToolNames } from '../shared/tool-names.ts';
import { wireCallId } from '../shared/tool-names.ts';

/** The Chat Completions request, in the dialect that compatible servers understand: `max_tokens`, a system message. */
export function chatBody(
  request: ModelRequest,
  names: ToolNames,
): OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming {
  const system = request.system.trim() === '' ? [] : [{ role: 'system' as const, content: request.system }];
  return {
    model: request.model,
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: request.max_output_tokens,
    ...(request.reasoning === true && request.effort !== undefined ? { reasoning_effort: request.effort } : {}),
    messages: [...system, ...toTurns(request.messages).flatMap((turn) => chatMessages(turn, names))],
    ...(request.tools.length === 0 ? {} : { tools: functionTools(request, names) }),
  };
}

function functionTools(request: ModelRequest, names: ToolNames): OpenAI.Chat.Completions.ChatCompletionFunctionTool[] {
  return request.tools.map((tool) => ({
    type: 'function' as const,
    function: { name: names.toWire(tool.name), description: tool.description, parameters: tool.input_schema },
  }));
}

function chatMessages(turn: Turn, names: ToolNames): OpenAI.Chat.Completions.ChatCompletionMessageParam[] {
  if (turn.role === 'user') {
    return [
      ...turn.results.map((result) => ({
        role: 'tool' as const,
        tool_call_id: wireCallId(result.call_id),
        content: result.content,
      })),
      ...turn.images.map((image) => ({
        role: 'user' as const,
        content: [{ type: 'image_url' as const, image_url: { url: dataUrl(image) } }],
      })),
      ...turn.texts.map((text) => ({ role: 'user' as const, content: text })),
    ];
  }
  const calls = turn.calls.map((call) => ({
    type: 'function' as const,
    id: wireCallId(call.call_id),
    function: { name: names.toWire(call.tool), arguments: JSON.stringify(argumentsObject(call.arguments)) },
  }));
  const content = turn.text.trim() === '' ? null : turn.text;
  return [{ role: 'assistant', content, ...(calls.length === 0 ? {} : { tool_calls: calls }) }];
}
