import { ThinkingLevel } from '@google/genai/web';
import type { Content, GenerateContentConfig, GenerateContentParameters, Part } from '@google/genai/web';
import type { Effort } from '../../contracts/model/model-facts.ts';
import { THINKING_TOKENS } from '../../contracts/model/thinking-tokens.ts';
import type { ModelRequest } from '../../contracts/model/model.ts';
import type { Turn } from '../shared/conversation.ts';
import { argumentsObject, toTurns } from '../shared/conversation.ts';
import type { ToolNames } from '../shared/tool-names.ts';
import { wireCallId } from '../shared/tool-names.ts';
import type { SignatureMemory } from './signature-memory.ts';

/** The service accepts this in place of the signature of a call that it did not sign itself: a call of another model, or from before a restart. */
const UNSIGNED = 'skip_thought_signature_validator';
/** Models since Gemini 3 refuse a call without a signature, and use levels of thinking. */
const WANTS_SIGNATURES = /^gemini-(?:[3-9]|\d{2})/;

const LEVELS: Readonly<Record<Effort, ThinkingLevel>> = {
  low: ThinkingLevel.LOW,
  medium: ThinkingLevel.MEDIUM,
  high: ThinkingLevel.HIGH,
};
/** Share of an answer's tokens; the rest is for the text. */
const THINKING_SHARE = 0.75;

/** The request of generateContent. The service itself caches the beginning of requests. */
export function requestBody(
  request: ModelRequest,
  names: ToolNames,
  memory: Pick<SignatureMemory, 'recall'>,
): GenerateContentParameters {
  const turns = toTurns(request.messages);
  const toolOf = new Map(
    turns.flatMap((turn) => (turn.role === 'assistant' ? turn.calls.map(({ call_id, tool }) => [call_id, tool]) : [])),
  );
  const functionDeclarations = request.tools.map((tool) => ({
    name: names.toWire(tool.name),
    description: tool.description,
    parametersJsonSchema: { ...tool.input_schema, type: 'object' },
  }));
  const recall = (callId: string): string | null => memory.recall(request.model, callId);
  const needsSignature = WANTS_SIGNATURES.test(request.model);
  return {
    model: request.model,
    contents: turns.map((turn) => contentOf(turn, { names, recall, toolOf, needsSignature })),
    config: {
      maxOutputTokens: request.max_output_tokens,
      ...thinkingConfig(request),
      ...(request.system.trim() === '' ? {} : { systemInstruction: request.system }),
      ...(functionDeclarations.length === 0 ? {} : { tools: [{ functionDeclarations }] }),
    },
  };
}

/** The parameters for an effort: newer models accept a level, older ones a number of tokens. Empty if none was chosen. */
function thinkingConfig({ model, effort, reasoning, max_output_tokens: most }: ModelRequest): GenerateContentConfig {
  if (effort === undefined || reasoning !== true) return {};
  if (WANTS_SIGNATURES.test(model)) return { thinkingConfig: { thinkingLevel: LEVELS[effort] } };
  return { thinkingConfig: { thinkingBudget: Math.min(THINKING_TOKENS[effort], Math.floor(most * THINKING_SHARE)) } };
}

interface TurnContext {
  readonly names: ToolNames;
  readonly recall: (callId: string) => string | null;
  /** The tool of each call; a result must name it. */
  readonly toolOf: ReadonlyMap<string | undefined, string | undefined>;
  readonly needsSignature: boolean;
}

function contentOf(turn: Turn, { names, recall, toolOf, needsSignature }: TurnContext): Content {
  if (turn.role === 'user') {
    const results = turn.results.map(({ call_id, ok, content }): Part => ({
      functionResponse: {
        id: wireCallId(call_id),
        name: names.toWire(toolOf.get(call_id) ?? ''),
        response: ok ? { output: content } : { error: content },
      },
    }));
    const images = turn.images.map(({ media_type: mimeType, data }): Part => ({ inlineData: { mimeType, data } }));
    return { role: 'user', parts: [...results, ...images, ...turn.texts.map((text) => ({ text }))] };
  }
  const calls = turn.calls.map(({ call_id, tool, arguments: given }, index): Part => {
    // Of parallel calls only the first is signed.
    const signature = recall(call_id) ?? (needsSignature && index === 0 ? UNSIGNED : null);
    return {
      functionCall: { id: wireCallId(call_id), name: names.toWire(tool), args: argumentsObject(given) },
      ...(signature === null ? {} : { thoughtSignature: signature }),
    };
  });
  return { role: 'model', parts: [...(turn.text.trim() === '' ? [] : [{ text: turn.text }]), ...calls] };
}
