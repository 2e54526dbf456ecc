import type { ModelMessage } from '../../contracts/model/model.ts';
import { heldCalls } from '../shared/held-calls.ts';

/**
 * A model that thinks signs its calls; the service wants each signature back with its call, unchanged. The kernel has no use for it, so it stays here as long
 * as this program lives and the conversation holds the call.
 */
export class SignatureMemory {
  readonly #signatures = new Map<string, { readonly model: string; readonly signature: string }>();

  remember(model: string, callId: string, signature: string): void {
    this.#signatures.set(callId, { model, signature });
  }

  /** Null also for a call of another model. */
  recall(model: string, callId: string): string | null {
    const found = this.#signatures.get(callId);
    return found?.model === model ? found.signature : null;
  }

  /** Forgets the calls that the conversation no longer holds. */
  keepOnly(messages: readonly ModelMessage[]): void {
    const held = heldCalls(messages);
    if (held.size === 0) return;
    for (const callId of this.#signatures.keys()) if (!held.has(callId)) this.#signatures.delete(callId);
  }
}
