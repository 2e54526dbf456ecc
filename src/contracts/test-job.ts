import { z } from 'zod';

/** Name of the description inside the job directory. */
export const JOB_FILE = 'job.json';

/**
 * The command that a test sandbox becomes: the kernel writes it to /fluffy/job/job.json, which nothing inside can change. `cwd` is absolute.
 * `argv[0]` is looked up in the PATH of `env` unless it has a slash. Nothing of the container's own environment is passed on.
 */
export const testJobDescriptionSchema = z.strictObject({
  argv: z.array(z.string()).min(1),
  env: z.record(z.string(), z.string()),
  cwd: z.string().startsWith('/'),
  /** Name of the report below /fluffy/out. */
  report: z.string(),
});

export type TestJobDescription = z.infer<typeof testJobDescriptionSchema>;
