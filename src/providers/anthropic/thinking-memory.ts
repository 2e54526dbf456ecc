import type Anthropic from '@anthropic-ai/sdk';
import { z } from 'zod';
import type { AssistantTurn } from '../shared/conversation.ts';
import { keyOf, ThoughtMemory } from '../shared/thought-memory.ts';

type StreamEvent = Anthropic.RawMessageStreamEvent;

const blockSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.object({ type: z.literal('redacted_thinking'), data: z.string() }),
]);
const partSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('thinking'), block: blockSchema }),
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('call'), callId: z.string() }),
]);
const answerSchema = z.object({ model: z.string(), parts: z.array(partSchema) });

/** In the order of an answer's blocks. */
export type RememberedPart = Readonly<z.infer<typeof partSchema>>;

/** The parts of an answer, if the model of the request gave that answer. */
export type Recall = (turn: AssistantTurn) => readonly RememberedPart[] | null;

/**
 * Some models think before they call a tool, and continue the thought when the results come back. The service wants such thinking back unchanged,
 * with its signature, at its old position. The kernel stores it with the answer, for the program of a later run. An answer that is not remembered is
 * sent without it.
 */
export class ThinkingMemory {
  readonly kept = new ThoughtMemory(answerSchema, ({ parts }) => [keyOf(callsOf(parts))]);

  /** Passes a stream on unchanged, and remembers the answer once it is complete. */
  async *watch(stream: AsyncIterable<StreamEvent>, model: string): AsyncGenerator<StreamEvent> {
    const parts = new Map<number, RememberedPart>();
    for await (const event of stream) {
      if (event.type === 'content_block_start') startPart(event, parts);
      else if (event.type === 'content_block_delta') extendPart(event, parts);
      else if (event.type === 'message_stop') this.#remember(model, [...parts.values()]);
      yield event;
    }
  }

  /** The parts of the answer with these calls and this text, or null. The thinking of a model is signed for that model only. */
  recall(model: string, callIds: readonly string[], text: string): readonly RememberedPart[] | null {
    const parts = this.kept.recall(model, keyOf(callIds))?.parts;
    return parts !== undefined && textOf(parts) === text ? parts : null;
  }

  #remember(model: string, parts: RememberedPart[]): void {
    if (callsOf(parts).length > 0 && parts.some(({ kind }) => kind === 'thinking'))
      this.kept.remember({ model, parts });
  }
}

function startPart(event: Anthropic.RawContentBlockStartEvent, parts: Map<number, RememberedPart>): void {
  const block = event.content_block;
  switch (block.type) {
    case 'thinking':
      parts.set(event.index, {
        kind: 'thinking',
        block: { type: 'thinking', thinking: block.thinking, signature: block.signature },
      });
      break;
    case 'redacted_thinking':
      parts.set(event.index, { kind: 'thinking', block: { type: 'redacted_thinking', data: block.data } });
      break;
    case 'text':
      parts.set(event.index, { kind: 'text', text: block.text });
      break;
    case 'tool_use':
      parts.set(event.index, { kind: 'call', callId: block.id });
      break;
    case 'server_tool_use':
    case 'web_search_tool_result':
    case 'web_fetch_tool_result':
    case 'code_execution_tool_result':
    case 'bash_code_execution_tool_result':
    case 'text_editor_code_execution_tool_result':
    case 'tool_search_tool_result':
    case 'container_upload':
      // The service's own tools, which no request here offers.
      break;
  }
}

function extendPart({ index, delta }: Anthropic.RawContentBlockDeltaEvent, parts: Map<number, RememberedPart>): void {
  const part = parts.get(index);
  if (part?.kind === 'text' && delta.type === 'text_delta') {
    parts.set(index, { kind: 'text', text: part.text + delta.text });
  }
  if (part?.kind !== 'thinking' || part.block.type !== 'thinking') return;
  const { block } = part;
  if (delta.type === 'thinking_delta') {
    parts.set(index, { kind: 'thinking', block: { ...block, thinking: block.thinking + delta.thinking } });
  } else if (delta.type === 'signature_delta') {
    parts.set(index, { kind: 'thinking', block: { ...block, signature: delta.signature } });
  }
}

function callsOf(parts: readonly RememberedPart[]): string[] {
  return parts.flatMap((part) => (part.kind === 'call' ? [part.callId] : []));
}

function textOf(parts: readonly RememberedPart[]): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}
