import { z } from 'zod';

/** Characters of a command's text with its arguments filled in. */
export const MAX_COMMAND_TEXT = 64 * 1024;

/** A command of the user or the project that a message calls. `of` names the author of its text. */
export const calledCommandSchema = z.strictObject({
  name: z.string().max(60),
  of: z.enum(['user', 'project']),
  text: z.string().max(MAX_COMMAND_TEXT),
});

export type CalledCommand = z.infer<typeof calledCommandSchema>;
