import type OpenAI from 'openai';
import { z } from 'zod';
import { ThoughtMemory } from '../shared/thought-memory.ts';

type StreamEvent = OpenAI.Responses.ResponseStreamEvent;
type ReasoningItem = OpenAI.Responses.ResponseReasoningItem;

const itemSchema = z.object({
  type: z.literal('reasoning'),
  id: z.string(),
  summary: z.array(z.object({ type: z.literal('summary_text'), text: z.string() })),
  encrypted_content: z.string(),
});
/** Stored by the first call of the answer. */
const rememberedSchema = z.object({ model: z.string(), first_call: z.string(), items: z.array(itemSchema) });

type Remembered = z.infer<typeof rememberedSchema>;

/**
 * A thinking model sends its reasoning encrypted. The service stores nothing, so it wants the items back unchanged, before the calls that they led
 * to. The kernel stores them with the answer, for the program of a later run. Items of one model mean nothing to another.
 */
export class ReasoningMemory {
  readonly kept = new ThoughtMemory(rememberedSchema, ({ first_call }) => [first_call]);

  /** Passes a stream on unchanged, and remembers the reasoning of an answer with calls. */
  async *watch(stream: AsyncIterable<StreamEvent>, model: string): AsyncGenerator<StreamEvent> {
    const items: Remembered['items'] = [];
    let firstCall: string | null = null;
    for await (const event of stream) {
      if (event.type === 'response.output_item.done') {
        if (event.item.type === 'function_call') firstCall ??= event.item.call_id;
        // Reasoning after the first call did not lead to any of the calls.
        else if (event.item.type === 'reasoning' && firstCall === null) items.push(...sendable(event.item));
      } else if (event.type === 'response.completed' && firstCall !== null && items.length > 0) {
        this.kept.remember({ model, first_call: firstCall, items });
      }
      yield event;
    }
  }

  /** The reasoning of the answer whose first call this is, if the same model gave it. */
  recall(callId: string | undefined, model: string): readonly ReasoningItem[] {
    return (callId === undefined ? null : this.kept.recall(model, callId))?.items ?? [];
  }
}

/** Without its encrypted content, an item is only an id that the service does not know. */
function sendable({ type, id, summary, encrypted_content: content }: ReasoningItem): Remembered['items'] {
  return typeof content === 'string' ? [{ type, id, summary, encrypted_content: content }] : [];
}
