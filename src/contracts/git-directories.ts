import { z } from 'zod';

/**
 * Where git keeps a working tree's own files (HEAD, the index) and what all working trees of the repository share (objects, refs). Both are the same
 * directory, except for a linked worktree. Absolute paths.
 */
export const gitDirectoriesSchema = z.strictObject({
  gitDir: z.string().startsWith('/'),
  commonDir: z.string().startsWith('/'),
});

export type GitDirectories = Readonly<z.infer<typeof gitDirectoriesSchema>>;
