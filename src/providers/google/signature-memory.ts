import { z } from 'zod';
import type { ModelMessage } from '../../contracts/model/model.ts';
import { heldCalls } from '../shared/held-calls.ts';
import { thoughtsIn } from '../shared/kept-thoughts.ts';

const signedSchema = z.object({
  model: z.string(),
  signatures: z.array(z.object({ call: z.string(), signature: z.string() })),
});

/**
 * A model that thinks signs its calls; the service wants each signature back with its call, unchanged. The kernel keeps them with the answer, for the program
 * of a later run.
 */
export class SignatureMemory {
  readonly #signatures = new Map<string, { readonly model: string; readonly signature: string }>();
  #newest: z.infer<typeof signedSchema> | null = null;

  remember(model: string, callId: string, signature: string): void {
    this.#signatures.set(callId, { model, signature });
    this.#newest = { model, signatures: [...(this.#newest?.signatures ?? []), { call: callId, signature }] };
  }

  /** Null also for a call of another model. */
  recall(model: string, callId: string): string | null {
    const found = this.#signatures.get(callId);
    return found?.model === model ? found.signature : null;
  }

  takeNewest(): string | null {
    const newest = this.#newest;
    this.#newest = null;
    return newest === null ? null : JSON.stringify(newest);
  }

  /** Learns what the conversation brings from earlier programs, and forgets the calls that it no longer holds. */
  follow(messages: readonly ModelMessage[]): void {
    this.#newest = null;
    for (const { model, signatures } of thoughtsIn(messages, signedSchema))
      for (const { call, signature } of signatures)
        if (!this.#signatures.has(call)) this.#signatures.set(call, { model, signature });
    const held = heldCalls(messages);
    if (held.size === 0) return;
    for (const callId of this.#signatures.keys()) if (!held.has(callId)) this.#signatures.delete(callId);
  }
}
