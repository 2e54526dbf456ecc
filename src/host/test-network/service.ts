import { z } from 'zod';
import { imageIdSchema, imageReferenceSchema } from '../images/project/project-image.ts';

const variables = z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of a variable'), z.string());

/** A service in the user's configuration. */
export const serviceSchema = z
  .strictObject({
    /** A program of this machine, or of `image`; absent: the image's own command. */
    command: z.array(z.string()).min(1).optional(),
    image: imageReferenceSchema.optional(),
    id: imageIdSchema.optional(),
    /** The port on its loopback. */
    port: z.number().int().min(1).max(65_535),
    /** Its own variables. */
    environment: variables.default({}),
    /** Directories of the image that it writes to: each is empty and in memory. */
    writable: z
      .array(z.string().regex(/^\/[A-Za-z0-9._/-]+$/, 'an absolute path'))
      .max(8)
      .default([]),
  })
  .superRefine((service, context) => {
    const { command, image, id } = service;
    const issue = (message: string): void => context.addIssue({ code: 'custom', message });
    if (command === undefined && image === undefined) issue('expected a command, or an image');
    if (image !== undefined && id === undefined)
      issue(`the image needs its id: docker image inspect --format "{{.Id}}" ${image}`);
    if (image === undefined && id !== undefined) issue('an id belongs to an image');
  });
export type Service = z.infer<typeof serviceSchema>;
