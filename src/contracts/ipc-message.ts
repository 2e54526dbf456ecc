import { z } from 'zod';

const MIB = 1024 * 1024;

/** Maximum size of one frame's JSON. */
export const MAX_HEAD_BYTES = 8 * MIB;
/** Maximum size of the texts beside one frame's JSON. */
export const MAX_TAIL_BYTES = 8 * MIB;
/** Maximum of both together: enough for a request that replaces a file of 4 MiB by one of 4 MiB. The answer may be larger; then it is refused. */
export const MAX_FRAME_BYTES = 12 * MIB;
/** Maximum number of texts in one tail. */
export const MAX_TAIL_TEXTS = 1_024;

/** Version of the syscall interface; the kernel supports this one and the one before. */
export const API_VERSION = 2;
export const OLDEST_API_VERSION = API_VERSION - 1;
/** Frames may have a tail from this version on. */
export const TAIL_SINCE_VERSION = 2;

export const ipcErrorSchema = z.strictObject({
  code: z.string().max(100),
  message: z.string().max(100_000),
  retryable: z.boolean(),
});

export const ipcMessageSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('request'),
    id: z.string().min(1).max(64),
    method: z.string().min(1).max(100),
    params: z.unknown().optional(),
  }),
  z.strictObject({
    type: z.literal('response'),
    id: z.string().min(1).max(64),
    result: z.unknown().optional(),
    error: ipcErrorSchema.optional(),
  }),
  z.strictObject({ type: z.literal('event'), method: z.string().min(1).max(100), params: z.unknown().optional() }),
]);

/** The first frame on every connection, sent by the connecting side. */
export const handshakeRequestSchema = z.strictObject({
  type: z.literal('handshake'),
  plugin_name: z.string().min(1).max(100),
  plugin_version: z.string().min(1).max(50),
  syscall_api_version: z.number().int(),
});

export const handshakeResponseSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('handshake_ack'),
    kernel_version: z.string(),
    supported_api_versions: z.tuple([z.number().int(), z.number().int()]),
    negotiated_api_version: z.number().int(),
  }),
  z.strictObject({
    type: z.literal('handshake_reject'),
    reason: z.string(),
    supported_api_versions: z.tuple([z.number().int(), z.number().int()]),
  }),
]);

/**
 * The head of a frame with a tail: the message with null in place of each text in the tail, and the positions of these texts, in order. `at` is the
 * way from the message to a text: names of members, indexes of elements.
 */
export const tailedHeadSchema = z.strictObject({
  message: z.unknown(),
  texts: z
    .array(
      z.strictObject({
        at: z
          .array(z.union([z.string(), z.number().int().nonnegative()]))
          .min(1)
          .max(64),
        bytes: z.number().int().positive(),
      }),
    )
    .min(1)
    .max(MAX_TAIL_TEXTS),
});

export type TailedHead = z.infer<typeof tailedHeadSchema>;
export type IpcError = z.infer<typeof ipcErrorSchema>;
export type IpcMessage = z.infer<typeof ipcMessageSchema>;
export type HandshakeRequest = z.infer<typeof handshakeRequestSchema>;
