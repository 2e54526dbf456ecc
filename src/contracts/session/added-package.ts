import { z } from 'zod';
import { packageManagerSchema, registryFactsSchema } from '../sandbox/package-managers.ts';

/** What was learned about a package when a session installed it, for the review. The registry's data is not verified. */
export const addedPackageSchema = registryFactsSchema.extend({
  manager: packageManagerSchema,
  /** Requested by name, and not by another package. */
  requested: z.boolean(),
  install_script: z.enum(['none', 'not-run', 'run']),
});
export type AddedPackageFacts = z.infer<typeof addedPackageSchema>;
