import { z } from 'zod';
import { sandboxTemplateSchema } from './sandbox/guard-api.ts';
import { MAX_PATH_BYTES, RULE_ACTIONS } from './policy.ts';
import { SESSION_MODES, SESSION_STATES } from './session/workflow-states.ts';

/**
 * The protocol between kernel and `policy-sandbox`. Two requests, both from the kernel, one at a time:
 *
 *   policy.load      the sources, once, right after the handshake -> the result of loading each
 *   policy.evaluate  one request to the policy                    -> the answer of each extension
 *
 * Neither side trusts the other: the program inside checks the answer of an extension, the kernel checks the message of the program.
 */
export const LOAD_METHOD = 'policy.load';
export const EVALUATE_METHOD = 'policy.evaluate';

/** From the kernel's request to its receipt of the answers. */
export const EVALUATION_LIMIT_MS = 100;

/** For all extensions of a policy together, from sending the sources to the end of the warm-up. */
export const LOAD_LIMIT_MS = 10_000;

export const MAX_EXTENSIONS = 16;
export const MAX_EXTENSION_BYTES = 256 * 1024;
export const MAX_REASON_CHARACTERS = 500;
export const MAX_FAILURE_CHARACTERS = 1000;

/** The request that an extension decides. Fields that do not apply are absent. See `PolicyRequest` for their meaning. */
export const extensionRequestSchema = z.strictObject({
  syscall: z.string().max(128),
  path: z
    .string()
    .max(MAX_PATH_BYTES * 2)
    .optional(),
  host: z.string().max(300).optional(),
  state: z.enum(SESSION_STATES),
  mode: z.enum(SESSION_MODES),
  tags: z.array(z.string().max(128)).max(64),
  plugin: z.string().max(128).optional(),
  template: sandboxTemplateSchema.optional(),
  sizeBytes: z.number().optional(),
});
export type ExtensionRequest = z.infer<typeof extensionRequestSchema>;

/** One line that a terminal shows unchanged: no character that moves a cursor, hides text or changes its direction. */
const PRINTABLE = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+$/u;

/** What the function of an extension must return. Anything else is malformed and counts as deny. */
export const extensionAnswerSchema = z.strictObject({
  decision: z.enum(RULE_ACTIONS),
  reason: z.string().max(MAX_REASON_CHARACTERS).regex(PRINTABLE).optional(),
});
export type ExtensionAnswer = z.infer<typeof extensionAnswerSchema>;

const nameSchema = z.string().min(1).max(128);

export const loadRequestSchema = z.strictObject({
  extensions: z
    .array(z.strictObject({ name: nameSchema, source: z.string().max(MAX_EXTENSION_BYTES) }))
    .max(MAX_EXTENSIONS),
});
export type LoadRequest = z.infer<typeof loadRequestSchema>;

/** One entry for each extension, in the order of the request. `failure`: why it cannot be asked; null if it can. */
export const loadAnswerSchema = z.strictObject({
  extensions: z
    .array(z.strictObject({ name: nameSchema, failure: z.string().max(MAX_FAILURE_CHARACTERS).nullable() }))
    .max(MAX_EXTENSIONS),
});
export type LoadAnswer = z.infer<typeof loadAnswerSchema>;

export const evaluateRequestSchema = z.strictObject({
  request: extensionRequestSchema,
  /** The extensions to ask. */
  names: z.array(nameSchema).min(1).max(MAX_EXTENSIONS),
  limit_ms: z.number().int().positive().max(LOAD_LIMIT_MS),
});

/** One answer for each extension that was asked. */
export const evaluateAnswerSchema = z.strictObject({
  answers: z
    .array(
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('answered'), name: nameSchema, answer: extensionAnswerSchema }),
        z.strictObject({
          kind: z.literal('failed'),
          name: nameSchema,
          failure: z.string().max(MAX_FAILURE_CHARACTERS),
        }),
      ]),
    )
    .max(MAX_EXTENSIONS),
});
export type EvaluateAnswer = z.infer<typeof evaluateAnswerSchema>;
