import type OpenAI from 'openai';
import type { ModelRequest } from '../../contracts/model/model.ts';
import type { Turn } from '../shared/conversation.ts';
import { argumentsObject, dataUrl, toTurns } from '../shared/conversation.ts';
import type { ToolNames } from '../shared/tool-names.ts';
import { wireCallId } from '../shared/tool-names.ts';
import type { ReasoningMemory } from './reasoning-memory.ts';

/**
 * The Responses request. The service stores nothing (`store: false`); every request contains the whole conversation. Requests with one cache key go
 * to one cache.
 */
export function responsesBody(
  request: ModelRequest,
  names: ToolNames,
  memory: Pick<ReasoningMemory, 'recall'>,
): OpenAI.Responses.ResponseCreateParamsStreaming {
  return {
    model: request.model,
    stream: true,
    store: false,
    ...(request.cache_key === undefined ? {} : { prompt_cache_key: request.cache_key }),
    max_output_tokens: request.max_output_tokens,
    input: toTurns(request.messages).flatMap((turn) =>
      inputItems(turn, names, (id) => memory.recall(id, request.model)),
    ),
    // A model that does not think refuses this option.
    ...(request.reasoning === true ? { include: ['reasoning.encrypted_content' as const] } : {}),
    ...(request.reasoning === true && request.effort !== undefined ? { reasoning: { effort: request.effort } } : {}),
    ...(request.system.trim() === '' ? {} : { instructions: request.system }),
    ...(request.tools.length === 0 ? {} : { tools: functionTools(request, names) }),
  };
}

function functionTools(request: ModelRequest, names: ToolNames): OpenAI.Responses.FunctionTool[] {
  return request.tools.map((tool) => ({
    type: 'function' as const,
    name: names.toWire(tool.name),
    description: tool.description,
    parameters: tool.input_schema,
    // Strict mode accepts only schemas without optional members.
    strict: false,
  }));
}

function inputItems(
  turn: Turn,
  names: ToolNames,
  recall: (callId: string | undefined) => readonly OpenAI.Responses.ResponseReasoningItem[],
): OpenAI.Responses.ResponseInputItem[] {
  if (turn.role === 'user') {
    return [
      ...turn.results.map((result) => ({
        type: 'function_call_output' as const,
        call_id: wireCallId(result.call_id),
        output: result.content,
      })),
      ...turn.images.map((image) => ({
        role: 'user' as const,
        content: [{ type: 'input_image' as const, image_url: dataUrl(image), detail: 'auto' as const }],
      })),
      ...turn.texts.map((text) => ({ role: 'user' as const, content: text })),
    ];
  }
  return [
    ...recall(turn.calls[0]?.call_id),
    ...(turn.text.trim() === '' ? [] : [{ role: 'assistant' as const, content: turn.text }]),
    ...turn.calls.map((call) => ({
      type: 'function_call' as const,
      call_id: wireCallId(call.call_id),
      name: names.toWire(call.tool),
      arguments: JSON.stringify(argumentsObject(call.arguments)),
    })),
  ];
}
