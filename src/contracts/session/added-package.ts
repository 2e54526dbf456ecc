import { z } from 'zod';
import { packageManagerSchema, registryFactsSchema } from '../sandbox/package-managers.ts';

/** What was learned of a package when a session installed it, for the review. What the registry says of it is not checked by anybody. */
export const addedPackageSchema = registryFactsSchema.extend({
  manager: packageManagerSchema,
  /** Requested by name, and not by another package. */
  requested: z.boolean(),
  install_script: z.enum(['none', 'not-run', 'run']),
});
export type AddedPackageFacts = z.infer<typeof addedPackageSchema>;
