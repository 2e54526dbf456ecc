import { z } from 'zod';
import { messageImageSchema } from './image.ts';
import { EFFORTS } from './model-facts.ts';

/**
 * The messages between the kernel and a provider program. The kernel trusts none of them: a call's arguments are the raw text of the model, which
 * only the kernel parses and validates.
 */

export const MAX_CALL_ID_LENGTH = 200;
export const MAX_TOOL_NAME_LENGTH = 200;
/** Maximum for one answer, in characters: longer thoughts are dropped. */
export const MAX_THOUGHTS_LENGTH = 256 * 1024;

/** Far more characters than the average token; a server that sends more ignores the limit. */
const CHARACTERS_PER_TOKEN_LIMIT = 32;
/** Maximum regardless of the token limit: an answer fits into a frame, with room for its JSON. */
const MAX_ANSWER_LENGTH = 4 * 1024 * 1024;

/** Maximum characters of text and arguments in one answer. */
export function answerLengthLimit(maxOutputTokens: number): number {
  return Math.min(MAX_ANSWER_LENGTH, maxOutputTokens * CHARACTERS_PER_TOKEN_LIMIT);
}

/** `arguments` is the raw text from the model; it should be JSON but may not be. `tool` is the canonical dotted name, or whatever the model wrote. */
export const modelCallSchema = z.strictObject({
  call_id: z.string().min(1).max(MAX_CALL_ID_LENGTH),
  tool: z.string().max(MAX_TOOL_NAME_LENGTH),
  arguments: z.string().max(8 * 1024 * 1024),
});

export const modelMessageSchema = z.discriminatedUnion('role', [
  /** `author: 'kernel'`: a note or a reminder of the kernel, not of a person. */
  z.strictObject({
    role: z.literal('user'),
    text: z.string(),
    author: z.literal('kernel').optional(),
    images: z.array(messageImageSchema).optional(),
  }),
  /** `thoughts`: opaque data that the named `provider/model` wants back with this answer, in the format of its provider program. */
  z.strictObject({
    role: z.literal('assistant'),
    text: z.string(),
    calls: z.array(modelCallSchema),
    thoughts: z.strictObject({ model: z.string(), data: z.string().max(MAX_THOUGHTS_LENGTH) }).optional(),
  }),
  z.strictObject({
    role: z.literal('tool'),
    results: z.array(z.strictObject({ call_id: z.string(), ok: z.boolean(), content: z.string() })),
  }),
]);

/** `name` is dotted; the provider program maps it to the characters that its protocol allows, and back. `input_schema` is JSON Schema. */
export const toolSpecSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  input_schema: z.record(z.string(), z.unknown()),
});

/** One assistant turn of a `replay` file. */
export const replayTurnSchema = z.strictObject({
  text: z.string().optional(),
  calls: z.array(z.strictObject({ tool: z.string(), input: z.unknown() })).optional(),
  delay_ms: z.number().int().nonnegative().max(600_000).optional(),
});

/**
 * Kernel -> provider, method `model.chat`. `model` is the part after `provider/`. `replay_turn` is set only for the replay provider: the turn to
 * play. `deadline_ms` limits the whole request with its retries; an answer
 * that still comes in then goes on. `cache_key` names the conversation: requests with the same key begin alike, and a
 * vendor may send them to the same cache. `give_up` is set if another model can answer: the maximum number of attempts, the maximum wait between two
 * attempts, and the maximum silence before an answer.
 */
export const modelRequestSchema = z.strictObject({
  model: z.string(),
  system: z.string(),
  messages: z.array(modelMessageSchema),
  tools: z.array(toolSpecSchema),
  max_output_tokens: z.number().int().positive(),
  deadline_ms: z.number().int().positive(),
  give_up: z
    .strictObject({
      after_attempts: z.number().int().positive(),
      wait_ms: z.number().int().nonnegative(),
      silence_ms: z.number().int().positive(),
    })
    .optional(),
  replay_turn: replayTurnSchema.optional(),
  cache_key: z.string().max(64).optional(),
  /** The model thinks before it answers, so its thoughts must be kept for the next request. */
  reasoning: z.boolean().optional(),
  effort: z.enum(EFFORTS).optional(),
});

/**
 * Tokens of the successful attempt. `input_tokens` excludes `cache_read_tokens` and includes `cache_write_tokens`, for which some vendors charge
 * more. If a server counts nothing, the numbers are estimates.
 */
export const usageSchema = z.strictObject({
  input_tokens: z.number().int().nonnegative(),
  output_tokens: z.number().int().nonnegative(),
  cache_read_tokens: z.number().int().nonnegative(),
  cache_write_tokens: z.number().int().nonnegative().optional(),
});

export const MODEL_FAILURES = [
  'auth',
  'unknown_model',
  'rate_limited',
  'overloaded',
  'server_error',
  'bad_request',
  'context_too_long',
  'no_access',
  'no_credit',
  'connection',
  'protocol',
  'egress_denied',
  'timeout',
  'program_failed',
] as const;

/**
 * How an answer ended. `empty`: without text and calls. `thinking_only`: the same, after thoughts. `max_tokens`: also for an answer that was cut here
 * because it exceeded its limit.
 */
export const MODEL_STOPS = [
  'end_turn',
  'tool_calls',
  'max_tokens',
  'refusal',
  'stop_sequence',
  'empty',
  'thinking_only',
] as const;

/**
 * Provider -> kernel during a `model.chat`, as event `model.event`. `restart`: drop everything of this request so far; the same request is sent again
 * after `after_ms`. Exactly one `done` or `failed` ends the request; the response to `model.chat` follows it and is empty. A cancelled request (event
 * `model.cancel`, or the caller gave up) ends without either; its response is the error `cancelled`.
 */
export const modelEventSchema = z.discriminatedUnion('type', [
  /** Thoughts before the answer, if the vendor shows them. For people; not part of the conversation. */
  z.strictObject({ type: z.literal('thought_delta'), text: z.string() }),
  z.strictObject({ type: z.literal('text_delta'), text: z.string() }),
  z.strictObject({
    type: z.literal('call_start'),
    index: z.number().int().nonnegative(),
    call_id: z.string().min(1).max(MAX_CALL_ID_LENGTH),
    tool: z.string().max(MAX_TOOL_NAME_LENGTH),
  }),
  z.strictObject({
    type: z.literal('call_delta'),
    index: z.number().int().nonnegative(),
    arguments_delta: z.string(),
  }),
  z.strictObject({ type: z.literal('call_end'), index: z.number().int().nonnegative() }),
  /** Opaque thoughts of the answer, to be stored and sent back with it. */
  z.strictObject({ type: z.literal('thoughts'), data: z.string().max(MAX_THOUGHTS_LENGTH) }),
  z.strictObject({ type: z.literal('usage'), usage: usageSchema }),
  z.strictObject({
    type: z.literal('restart'),
    attempt: z.number().int(),
    after_ms: z.number().int(),
    code: z.enum(MODEL_FAILURES),
    message: z.string(),
  }),
  z.strictObject({
    type: z.literal('done'),
    stop: z.enum(MODEL_STOPS),
  }),
  z.strictObject({
    type: z.literal('failed'),
    code: z.enum(MODEL_FAILURES),
    message: z.string(),
    retryable: z.boolean(),
  }),
]);

export type ModelCall = z.infer<typeof modelCallSchema>;
export type ModelMessage = z.infer<typeof modelMessageSchema>;
export type ToolSpec = z.infer<typeof toolSpecSchema>;
export type ReplayTurn = z.infer<typeof replayTurnSchema>;
export type ModelRequest = z.infer<typeof modelRequestSchema>;
export type ModelEvent = z.infer<typeof modelEventSchema>;
export type ModelFailure = (typeof MODEL_FAILURES)[number];
export type Usage = z.infer<typeof usageSchema>;
