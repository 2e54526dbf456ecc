import { z } from 'zod';
import { observationSchema } from './proof.ts';

/** What a review shows beyond the message and the change: the kernel's own view of them, for the person who decides. */
export const cardFactsSchema = z.strictObject({
  /** Whether the commit would be called verified; if not, the reasons. */
  grade: z.strictObject({ verified: z.boolean(), reasons: z.array(z.string()) }),
  /** The changed files as policy sees them. */
  files: z.array(
    z.strictObject({ path: z.string(), kind: z.enum(['test', 'docs', 'source', 'other']), sensitive: z.boolean() }),
  ),
  /** The observations, in the order in which they are shown. */
  proof: z.array(z.strictObject({ title: z.string(), outcome: observationSchema.shape.outcome, detail: z.string() })),
  /** The change was made without tests first, and a rejection can request tests before the merge. */
  tests_can_follow: z.literal(true).optional(),
});

export type CardFacts = z.infer<typeof cardFactsSchema>;
