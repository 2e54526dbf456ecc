import { z } from 'zod';

/** Characters of a command's text with its arguments filled in. */
export const MAX_COMMAND_TEXT = 64 * 1024;

/** A command of the user's or the project's own that a message calls. Its text was written by whom `of` names. */
export const calledCommandSchema = z.strictObject({
  name: z.string().max(60),
  of: z.enum(['user', 'project']),
  text: z.string().max(MAX_COMMAND_TEXT),
});

export type CalledCommand = z.infer<typeof calledCommandSchema>;
