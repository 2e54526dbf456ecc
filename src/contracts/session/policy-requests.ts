import { z } from 'zod';
import { sha256Schema } from '../ids.ts';
import { policyDiagnosticSchema } from '../policy.ts';
import { approvalSchema } from './approval.ts';

/** The longest accepted policy text; a frame has room for it, its diff and the rest. */
export const MAX_POLICY_CHARACTERS = 512 * 1024;

const policyProposalSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('invalid'),
    errors: z.array(policyDiagnosticSchema),
    warnings: z.array(policyDiagnosticSchema),
  }),
  z.strictObject({ kind: z.literal('unchanged') }),
  /** The present text is not the one that `base` names. */
  z.strictObject({ kind: z.literal('conflict'), why: z.string() }),
  /** The policy in force denies `policy.update` completely. */
  z.strictObject({ kind: z.literal('denied'), reasons: z.array(z.string()) }),
  z.strictObject({
    kind: z.literal('proposed'),
    warnings: z.array(policyDiagnosticSchema),
    /** What an approval signs, as for every review. */
    review: z.strictObject({
      session_id: z.literal('policy.update'),
      review_id: z.string(),
      base: z.string(),
      message: z.string(),
      diff: z.string(),
      sha256: z.string(),
    }),
    replayed: z.number().int(),
    breaking: z.number().int(),
    /** One line for each changed result, breaking ones first and marked. */
    changes: z.array(z.string()),
    /** Must be typed word for word; null: a yes is enough. */
    phrase: z.string().nullable(),
  }),
]);

/** A person's requests to the kernel about the project's policy: part of `requests`. */
export const policyRequests = {
  /**
   * `policy.update`: proposes a complete new text for the project's policy. Nothing is written and nothing changes; the result is what a person
   * decides about. `base` is the SHA-256 of the text to replace; null: there is none. A proposal is withdrawn when its connection ends.
   */
  'policy.update': {
    params: z.strictObject({ base: sha256Schema.nullable(), text: z.string().max(MAX_POLICY_CHARACTERS) }),
    result: policyProposalSchema,
  },
  /**
   * The person's decision about a proposal. An approval is signed as in `review.decide`, and repeats the phrase if one was required. After an
   * approval the text may be written: the kernel has recorded it, and does not write the file itself.
   */
  'policy.decide': {
    params: z.strictObject({
      review_id: z.string(),
      decision: z.discriminatedUnion('kind', [
        approvalSchema.extend({ phrase: z.string().max(200).nullable() }),
        z.strictObject({ kind: z.literal('reject'), reason: z.string().max(5000) }),
      ]),
    }),
    result: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('approved') }),
      z.strictObject({ kind: z.literal('rejected') }),
      z.strictObject({ kind: z.literal('conflict'), why: z.string() }),
    ]),
  },
  /** The project's policy may have changed: the kernel reads it, and decides by it from then on. Hashes are those of `session.started`. */
  'policy.reload': {
    params: z.strictObject({ review_id: z.string().nullable() }),
    result: z.strictObject({ replaced: z.boolean(), old_hash: z.string(), new_hash: z.string() }),
  },
} as const;
