import { z } from 'zod';
import { ThoughtMemory } from '../shared/thought-memory.ts';

const signedSchema = z.object({
  model: z.string(),
  signatures: z.array(z.object({ call: z.string(), signature: z.string() })),
});

/**
 * A thinking model signs its calls; the service wants each signature back with its call, unchanged. The kernel stores them with the answer, for the
 * program of a later run.
 */
export class SignatureMemory {
  readonly kept = new ThoughtMemory(signedSchema, ({ signatures }) => signatures.map(({ call }) => call));

  remember(model: string, call: string, signature: string): void {
    this.kept.remember({ model, signatures: [...(this.kept.newest?.signatures ?? []), { call, signature }] });
  }

  /** null also for a call of another model. */
  recall(model: string, callId: string): string | null {
    return this.kept.recall(model, callId)?.signatures.find(({ call }) => call === callId)?.signature ?? null;
  }
}
