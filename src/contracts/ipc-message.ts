import { z } from 'zod';

const MIB = 1024 * 1024;

/** JSON of one frame. */
export const MAX_HEAD_BYTES = 8 * MIB;
/** Texts beside the JSON of one frame. */
export const MAX_TAIL_BYTES = 8 * MIB;
/** Both together: enough for a request to write a file of 4 MiB over one of 4 MiB. Its answer may be larger, and is then refused. */
export const MAX_FRAME_BYTES = 12 * MIB;
/** Texts in one tail. */
export const MAX_TAIL_TEXTS = 1_024;

/** Version of the syscall interface; the kernel speaks this one and the one before. */
export const API_VERSION = 2;
export const OLDEST_API_VERSION = API_VERSION - 1;
/** From this version on a frame may have a tail. */
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

/** The first frame on every connection, sent by whoever connected. */
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
 * The head of a frame with a tail: the message with null in place of each text that the tail holds, and where these belong, in the
 * order in which they follow each other. `at` leads there from the message: names of members, indexes of elements.
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
