import { z } from 'zod';

/** Names of the description and of the command's input in the out directory. Both are gone before the command is there. */
export const JOB_FILE = 'job.json';
export const INPUT_FILE = 'input.json';

/**
 * The command that a test sandbox becomes: the kernel writes it to the out directory, and the launcher removes it once it has read it. `cwd` is absolute.
 * `argv[0]` is looked up in the PATH of `env` unless it has a slash. Nothing of the container's own environment is passed on.
 */
export const testJobDescriptionSchema = z.strictObject({
  argv: z.array(z.string()).min(1),
  env: z.record(z.string(), z.string()),
  cwd: z.string().startsWith('/'),
});

export type TestJobDescription = z.infer<typeof testJobDescriptionSchema>;
