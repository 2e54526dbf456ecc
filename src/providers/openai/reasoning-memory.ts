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
/** By the first call of the answer. */
const rememberedSchema = z.object({ model: z.string(), first_call: z.string(), items: z.array(itemSchema) });

type Remembered = z.infer<typeof rememberedSchema>;

/**
 * A model that thinks sends its reasoning encrypted; nothing is kept by the service, so it wants the items back unchanged, before the calls that they led
 * to. The kernel keeps them with the answer, for the program of a later run. Items of one model mean nothing to another.
 */
export class ReasoningMemory {
  readonly kept = new ThoughtMemory(rememberedSchema, ({ first_call }) => [first_call]);

  /** Passes a stream on as it is and remembers the reasoning of an answer that makes calls. */
  async *watch(stream: AsyncIterable<StreamEvent>, model: string): AsyncGenerator<StreamEvent> {
    const items: Remembered['items'] = [];
    let firstCall: string | null = null;
    for await (const event of stream) {
      if (event.type === 'response.output_item.done') {
        if (event.item.type === 'function_call') firstCall ??= event.item.call_id;
        // What comes behind the first call leads to none of them.
        else if (event.item.type === 'reasoning' && firstCall === null) items.push(...sendable(event.item));
      } else if (event.type === 'response.completed' && firstCall !== null && items.length > 0) {
        this.kept.remember({ model, first_call: firstCall, items });
      }
      yield event;
    }
  }

  /** The reasoning of an answer that began with this call, if the same model gave it. */
  recall(callId: string | undefined, model: string): readonly ReasoningItem[] {
    return (callId === undefined ? null : this.kept.recall(model, callId))?.items ?? [];
  }
}

/** Without its encrypted content an item is a name that the service does not know. */
function sendable({ type, id, summary, encrypted_content: content }: ReasoningItem): Remembered['items'] {
  return typeof content === 'string' ? [{ type, id, summary, encrypted_content: content }] : [];
}
