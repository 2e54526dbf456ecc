import { z } from 'zod';
import { approvalSchema } from './approval.ts';
import { pendingReviewSchema } from './session-facts.ts';
import { sessionId } from './session-id.ts';

/** Maximum size of a file that a person edits at review, in characters. */
export const MAX_EDITED_CHARACTERS = 1_000_000;
export const MAX_EDITED_FILES = 4;
/** Maximum number of changed files in one rejection. */
const MAX_RETURNED_FILES = 200;

const editedFileSchema = z.strictObject({
  path: z.string(),
  /** null: the file is deleted. */
  text: z.string().max(MAX_EDITED_CHARACTERS).nullable(),
});

/** Requests of the command line about a waiting review. */
export const reviewRequests = {
  /** The waiting review of a session (or the newest of all), or null. */
  'review.get': {
    params: z.strictObject({ session_id: sessionId.nullable() }),
    result: z.strictObject({
      review: pendingReviewSchema
        .omit({ requested_ms: true })
        .extend({
          session_id: sessionId,
          /** Length of the whole diff, if `diff` is only its beginning. */
          diff_characters: z.number().int().optional(),
          /** Why it cannot be merged now, so that an approval is refused: another branch, changed files. */
          obstacle: z.string().optional(),
        })
        .nullable(),
    }),
  },
  /** The part of a waiting review's diff that begins at this character; empty after its end. */
  'review.diff': {
    params: z.strictObject({ session_id: sessionId, review_id: z.string(), from: z.number().int().nonnegative() }),
    result: z.strictObject({ text: z.string() }),
  },
  /**
   * A file of a waiting commit as it would be committed; null if it is deleted, not text, or too large to edit. `closed`: why a person's version of
   * it would not be accepted.
   */
  'review.file': {
    params: z.strictObject({ session_id: sessionId, review_id: z.string(), path: z.string() }),
    result: z.strictObject({ text: z.string().nullable(), closed: z.string().optional() }),
  },
  /**
   * The person's decision. An approval carries an Ed25519 signature (base64) by the person's approval key over the 32 bytes of `sha256`; the kernel
   * knows the public key from its start-up options and checks it. Answered after the decision was applied.
   */
  'review.decide': {
    params: z.strictObject({
      session_id: sessionId,
      review_id: z.string(),
      decision: z.discriminatedUnion('kind', [
        approvalSchema,
        z.strictObject({
          kind: z.literal('reject'),
          reason: z.string(),
          /** For a commit: the person's versions of its files. They are staged and tested, and proposed again when the tests pass. */
          edits: z.array(editedFileSchema).min(1).max(MAX_RETURNED_FILES).optional(),
          /** For a commit in explore or debug mode: the change stays unchanged, and the model writes tests for it before the merge. */
          tests: z.literal(true).optional(),
        }),
      ]),
    }),
    result: z.strictObject({
      outcome: z.enum(['committed', 'rejected', 'done', 'failed']),
      commit: z.string().optional(),
      message: z.string(),
    }),
  },
} as const;

export type EditedFile = z.infer<typeof editedFileSchema>;
export type WaitingReview = NonNullable<z.infer<(typeof reviewRequests)['review.get']['result']>['review']>;
