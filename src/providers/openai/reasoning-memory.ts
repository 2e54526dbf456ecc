import type OpenAI from 'openai';
import type { ModelMessage } from '../../contracts/model/model.ts';
import { heldCalls } from '../shared/held-calls.ts';

type StreamEvent = OpenAI.Responses.ResponseStreamEvent;
type ReasoningItem = OpenAI.Responses.ResponseReasoningItem;

interface Remembered {
  readonly model: string;
  readonly items: readonly ReasoningItem[];
}

/**
 * A model that thinks sends its reasoning encrypted; nothing is kept by the service, so it wants the items back unchanged, before the calls that they led
 * to. The kernel has no use for them, so they stay here as long as this program lives and the conversation holds the calls. Items of one model mean nothing
 * to another.
 */
export class ReasoningMemory {
  /** By the first call of the answer. */
  readonly #answers = new Map<string, Remembered>();

  /** Passes a stream on as it is and remembers the reasoning of an answer that makes calls. */
  async *watch(stream: AsyncIterable<StreamEvent>, model: string): AsyncGenerator<StreamEvent> {
    const items: ReasoningItem[] = [];
    let firstCall: string | null = null;
    for await (const event of stream) {
      if (event.type === 'response.output_item.done') {
        if (event.item.type === 'function_call') firstCall ??= event.item.call_id;
        // What comes behind the first call leads to none of them.
        else if (event.item.type === 'reasoning' && firstCall === null) items.push(...sendable(event.item));
      } else if (event.type === 'response.completed' && firstCall !== null && items.length > 0) {
        this.#answers.set(firstCall, { model, items });
      }
      yield event;
    }
  }

  /** The reasoning of an answer that began with this call, if the same model gave it. */
  recall(callId: string | undefined, model: string): readonly ReasoningItem[] {
    const found = callId === undefined ? undefined : this.#answers.get(callId);
    return found?.model === model ? found.items : [];
  }

  /** Forgets the answers that the conversation no longer holds. */
  keepOnly(messages: readonly ModelMessage[]): void {
    const held = heldCalls(messages);
    if (held.size === 0) return;
    for (const callId of this.#answers.keys()) if (!held.has(callId)) this.#answers.delete(callId);
  }
}

/** Without its encrypted content an item is a name that the service does not know. */
function sendable({ type, id, summary, encrypted_content: content }: ReasoningItem): ReasoningItem[] {
  return typeof content === 'string' ? [{ type, id, summary, encrypted_content: content }] : [];
}
