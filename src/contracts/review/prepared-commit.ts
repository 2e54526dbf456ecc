import { z } from 'zod';
import { fileChangeSchema } from './change-set.ts';
import { objectIdSchema } from '../ids.ts';

/** Who and when, as a commit records it. `offsetMinutes` is east of UTC. */
export const commitSignatureSchema = z.strictObject({
  name: z.string().min(1),
  email: z.string().min(1),
  seconds: z.number().int().nonnegative(),
  offsetMinutes: z.number().int().min(-1440).max(1440),
});

/** The entry at a path of the committed tree: a blob with its mode (100644, 100755, 120000), or null. */
export const treeEditSchema = z.strictObject({
  path: z.string(),
  entry: z.strictObject({ mode: z.number().int(), id: objectIdSchema }).nullable(),
  /** A blob with the bytes of the working file, if git stores the file in another form: with LF in place of CRLF. */
  file: objectIdSchema.optional(),
});

/**
 * A commit prepared in a sandbox: its objects are verified and wait outside the repository. Plain data, so that a session can store it while its
 * review waits.
 */
export const preparedCommitSchema = z.strictObject({
  commit: objectIdSchema,
  tree: objectIdSchema,
  parent: objectIdSchema,
  /** Full name of the branch, `refs/heads/…`. */
  branchRef: z.string(),
  message: z.string(),
  committer: commitSignatureSchema,
  changes: z.array(fileChangeSchema).readonly(),
  /** The same changes as edits of the parent's tree. */
  edits: z.array(treeEditSchema).readonly(),
  /** Every new object that the commit needs, including the commit itself; kept by the prepared-object store under the session's id. */
  objects: z.array(objectIdSchema).readonly(),
});

export type CommitSignature = z.infer<typeof commitSignatureSchema>;
export type TreeEditEntry = z.infer<typeof treeEditSchema>;
export type PreparedCommit = z.infer<typeof preparedCommitSchema>;
