import { z } from 'zod';

/** Types that every vendor accepts. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** The smallest of the vendors' limits: 5 MB in base64. */
export const MAX_IMAGE_BYTES = 3_700_000;
/** Maximum in one message. */
export const MAX_IMAGES = 8;
/** Maximum in one request. Beyond it, the vendors' limit of the dimensions falls to a quarter. */
export const MAX_SENT_IMAGES = 20;
/** Width or height, in pixels: the smallest of the vendors' limits. */
export const MAX_IMAGE_SIDE = 8_000;
/** Maximum characters of base64 in one request: a frame has room for them beside the conversation. */
export const MAX_SENT_IMAGE_CHARACTERS = 6 * 1024 * 1024;

/** An image in a message of the user. The conversation contains only its reference; `data` (base64) is only in the request. */
export const messageImageSchema = z.strictObject({
  reference: z.string().max(100),
  /** As the user wrote it. */
  name: z.string().max(1_000),
  media_type: z.enum(IMAGE_TYPES),
  data: z.string().optional(),
});

/** An image from outside the project that the user named: its content as the host has read it, or why it could not be read. */
export const givenImageSchema = z.union([
  z.strictObject({
    name: z.string().max(1_000),
    /** Base64. */
    data: z.string().max(Math.ceil(MAX_IMAGE_BYTES / 3) * 4),
  }),
  z.strictObject({ name: z.string().max(1_000), why: z.string().max(500) }),
]);

export type MessageImage = z.infer<typeof messageImageSchema>;
export type GivenImage = z.infer<typeof givenImageSchema>;
