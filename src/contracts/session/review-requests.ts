import { z } from 'zod';
import { approvalSchema } from './approval.ts';
import { pendingReviewSchema } from './session-facts.ts';
import { sessionId } from './session-id.ts';

/** Of a file that a person edits at review, in characters. */
export const MAX_EDITED_CHARACTERS = 1_000_000;
export const MAX_EDITED_FILES = 4;
/** Of files that one rejection brings back changed. */
const MAX_RETURNED_FILES = 200;

const editedFileSchema = z.strictObject({
  path: z.string(),
  /** Null: the file is deleted. */
  text: z.string().max(MAX_EDITED_CHARACTERS).nullable(),
});

/** What the command line and the kernel say about a review that waits. */
export const reviewRequests = {
  /** The waiting review of a session (or the newest of all), or null. */
  'review.get': {
    params: z.strictObject({ session_id: sessionId.nullable() }),
    result: z.strictObject({
      review: pendingReviewSchema
        .omit({ requested_ms: true })
        .extend({
          session_id: sessionId,
          /** Length of the whole diff, where `diff` is only its beginning. */
          diff_characters: z.number().int().optional(),
          /** Why it cannot be merged now, so an approval is refused: another branch, files that were changed. */
          obstacle: z.string().optional(),
        })
        .nullable(),
    }),
  },
  /** The part of a waiting review's diff that begins at this character; empty behind its end. */
  'review.diff': {
    params: z.strictObject({ session_id: sessionId, review_id: z.string(), from: z.number().int().nonnegative() }),
    result: z.strictObject({ text: z.string() }),
  },
  /**
   * A file of a waiting commit as it would be committed; null where it is gone, no text, or larger than a person edits. `closed`: why a person's version of it would not be taken.
   */
  'review.file': {
    params: z.strictObject({ session_id: sessionId, review_id: z.string(), path: z.string() }),
    result: z.strictObject({ text: z.string().nullable(), closed: z.string().optional() }),
  },
  /**
   * The human's decision. An approval carries an Ed25519 signature (base64) by the human's approval key over the 32 bytes of
   * `sha256`; the kernel knows the public key from its start-up options and checks it. Answered when the decision has been carried through.
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
          /** Of a commit: what the person made of its files. It is staged and tested, and proposed again when the tests pass. */
          edits: z.array(editedFileSchema).min(1).max(MAX_RETURNED_FILES).optional(),
          /** Of a commit in explore or debug mode: the change stays as it is, and the model writes tests for it before the merge. */
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
