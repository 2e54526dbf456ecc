import { z } from 'zod';
import { messageImageSchema } from './image.ts';
import { EFFORTS } from './model-facts.ts';

/**
 * What the kernel and a provider program say to each other. The kernel trusts none of it: a call's arguments are the raw text
 * the model produced, parsed and validated by the kernel alone.
 */

export const MAX_CALL_ID_LENGTH = 200;
export const MAX_TOOL_NAME_LENGTH = 200;
/** Of one answer, in characters: what is longer is not kept. */
export const MAX_THOUGHTS_LENGTH = 256 * 1024;

/** Far more characters than a token ever has on average; what a server sends beyond that ignores the limit. */
const CHARACTERS_PER_TOKEN_LIMIT = 32;
/** Whatever the limit in tokens: an answer fits into a frame, with room for its JSON. */
const MAX_ANSWER_LENGTH = 4 * 1024 * 1024;

/** How many characters of text and arguments one answer may have. */
export function answerLengthLimit(maxOutputTokens: number): number {
  return Math.min(MAX_ANSWER_LENGTH, maxOutputTokens * CHARACTERS_PER_TOKEN_LIMIT);
}

/** `arguments` is the raw JSON text as the model wrote it; it may not be JSON. `tool` is the canonical dotted name, or whatever the model called. */
export const modelCallSchema = z.strictObject({
  call_id: z.string().min(1).max(MAX_CALL_ID_LENGTH),
  tool: z.string().max(MAX_TOOL_NAME_LENGTH),
  arguments: z.string().max(8 * 1024 * 1024),
});

export const modelMessageSchema = z.discriminatedUnion('role', [
  /** `author: 'kernel'`: a note or a reminder that no person wrote. */
  z.strictObject({
    role: z.literal('user'),
    text: z.string(),
    author: z.literal('kernel').optional(),
    images: z.array(messageImageSchema).optional(),
  }),
  /** `thoughts`: what the model named there, as `provider/model`, wants back with this answer, in the form of its provider program. */
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

/** `name` is dotted; the provider program maps it to its wire's alphabet and back. `input_schema` is JSON Schema. */
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
 * Kernel -> provider, method `model.chat`. `model` is the part after `provider/`. `replay_turn` is set for the replay provider
 * alone: the turn it is to play. `deadline_ms` bounds the whole request, retries included. `cache_key` names the conversation: requests with the
 * same one begin alike, and a vendor may send them to the same cache. `give_up` is set where another model can answer instead: after how many attempts this
 * one is given up, and how long a wait between two of them and the silence before an answer may be.
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
  /** The model thinks before it answers, so that its thoughts have to be kept for the next request. */
  reasoning: z.boolean().optional(),
  effort: z.enum(EFFORTS).optional(),
});

/**
 * Tokens of the attempt that succeeded. `cache_read_tokens` are not part of `input_tokens`; `cache_write_tokens` are: some vendors charge more for
 * them. A server that counts nothing is estimated for.
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
 * How an answer ended. `empty`: without text and calls. `thinking_only`: the same, after the model had thought. `max_tokens` also for an
 * answer that was cut here because it had outgrown its limit.
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
 * Provider -> kernel while a `model.chat` is under way, as event `model.event`.
 * `restart` means: forget everything of this request so far, the same request is being sent again after `after_ms`.
 * Exactly one of `done` and `failed` ends the request; the response to `model.chat` follows it and is empty. A request that is
 * cancelled (event `model.cancel`, or its caller giving up) ends with neither: its response is the error `cancelled`.
 */
export const modelEventSchema = z.discriminatedUnion('type', [
  /** What the model thinks before it answers, where the vendor shows it: for people, and no part of the conversation. */
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
  /** What the answer was thought with, to be kept and sent back with it. */
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
