import { z } from 'zod';

/** A frame: 4-byte big-endian length of the payload, then the payload as UTF-8 JSON. */
export const MAX_FRAME_BYTES = 8 * 1024 * 1024;

/** Version of the syscall interface; the kernel speaks this one and the one before. */
export const API_VERSION = 1;

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

export type IpcError = z.infer<typeof ipcErrorSchema>;
export type IpcMessage = z.infer<typeof ipcMessageSchema>;
export type HandshakeRequest = z.infer<typeof handshakeRequestSchema>;
export type HandshakeResponse = z.infer<typeof handshakeResponseSchema>;
