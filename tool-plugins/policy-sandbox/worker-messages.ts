import { z } from 'zod';
import { MAX_FAILURE_CHARACTERS, extensionAnswerSchema } from '../../src/contracts/policy-extension.ts';
import type { ExtensionRequest } from '../../src/contracts/policy-extension.ts';

/** From the program to the worker that holds one extension. */
export type ToWorker =
  | { readonly kind: 'load'; readonly name: string; readonly source: string }
  | { readonly kind: 'evaluate'; readonly id: number; readonly request: ExtensionRequest };

const what = z.string().max(MAX_FAILURE_CHARACTERS);
const id = z.number().int().nonnegative();

/** Back. The extension shares the worker with what sends this, so each message is checked like one of the extension's own. */
export const fromWorkerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('loaded') }),
  z.strictObject({ kind: z.literal('refused'), what }),
  z.strictObject({ kind: z.literal('answered'), id, answer: extensionAnswerSchema }),
  z.strictObject({ kind: z.literal('failed'), id, what }),
]);
export type FromWorker = z.infer<typeof fromWorkerSchema>;
