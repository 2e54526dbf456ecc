import { z } from 'zod';
import { evidenceFactsSchema } from '../review/evidence.ts';
import { preparedCommitSchema } from '../review/prepared-commit.ts';
import { observationSchema, proofSchema, redBySchema } from '../review/proof.ts';
import { cardFactsSchema } from '../review/review-card.ts';

/**
 * The large facts of a session. Each is a row of its own in the database and is written only when it changes: a baseline of 30,000 cases is 3 MB of
 * JSON, and an event must not write it again.
 */

const namedCaseSchema = z.strictObject({ file: z.string(), name: z.string() });

/**
 * The suite before the session wrote anything. `unknown`: it could not be run (no tests yet, a broken suite); then no failure or success counts as an
 * old one. Cases are ids (`file NUL name`).
 */
export const baselineSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('known'),
    passed: z.array(z.string()),
    failed: z.array(z.string()),
    /** Skipped or todo cases; absent in sessions of earlier versions. */
    skipped: z.array(z.string()).optional(),
    /** Files that did not load or had no case. */
    broken_files: z.array(z.string()),
    /** How long the suite took; absent in sessions of earlier versions. */
    duration_ms: z.number().optional(),
  }),
  z.strictObject({ kind: z.literal('unknown'), why: z.string() }),
]);

/**
 * Red: the proof that a new test fails without the new source. `cases` failed as tests. `files` did not load because something is missing that the
 * task has yet to create; at green each must have a passing case. `frozen` maps each test file to its hash.
 */
export const redSchema = z.strictObject({
  run_id: z.string(),
  cases: z.array(z.string()),
  files: z.array(z.string()),
  frozen: z.record(z.string(), z.string()),
  /** Hashes of the sensitive files that the session had changed by then: runner configuration, lockfiles, CI. */
  sensitive: z.record(z.string(), z.string()),
  staging_digest: z.string(),
  at_ms: z.number(),
  by: redBySchema.optional(),
  /** For `files`: the results of their cases against stand-ins for what is missing. */
  stand_ins: observationSchema.optional(),
});

/** The suite on exactly the tree to be committed, if the user had uncommitted work. `view` is the digest of what the run saw. */
const repeatedGreenSchema = z.strictObject({
  run_id: z.string(),
  at_ms: z.number(),
  tree: z.string(),
  view: z.string(),
  passed: z.number().int(),
  skipped: z.number().int(),
  failed: z.array(namedCaseSchema),
  /** What fails on HEAD alone, if that was run. */
  on_head: z.strictObject({ failed: z.array(namedCaseSchema), broken_files: z.array(z.string()) }).optional(),
});

/** A run of the whole suite that opened the review. `staging_digest` is the digest of the staged work that it saw. */
export const greenSchema = z.strictObject({
  run_id: z.string(),
  at_ms: z.number(),
  staging_digest: z.string(),
  passed: z.number().int(),
  skipped: z.number().int(),
  failed: z.array(namedCaseSchema),
  repeated: repeatedGreenSchema.optional(),
});

/** The observations about the work of one green run. */
export const keptProofSchema = proofSchema.extend({ staging_digest: z.string() });

/** A commit under review: its objects wait outside the repository, its facts become evidence. */
export const preparedFactSchema = z.strictObject({
  prepared: preparedCommitSchema,
  facts: evidenceFactsSchema,
});

/** A review that waits for a decision: what is shown, and the digest that an approval signs. */
export const pendingReviewSchema = z.strictObject({
  review_id: z.string(),
  kind: z.enum(['merge', 'policy', 'plugin', 'mode']),
  risk: z.enum(['low', 'medium', 'high']),
  reasons: z.array(z.string()),
  base: z.string(),
  message: z.string(),
  diff: z.string(),
  sha256: z.string(),
  facts: cardFactsSchema.optional(),
  requested_ms: z.number(),
});

/** The part of the conversation that is sent, if it is not all. Positions count the messages of the whole session from 0. */
export const contextFactSchema = z.strictObject({
  /** The first message that is sent. */
  start: z.number().int().nonnegative(),
  /** Number of the model's answers before it. */
  answers_before: z.number().int().nonnegative(),
  /** Sent in place of the messages before `start`; null if there are none. */
  head: z.string().nullable(),
  /** The part of the head that a model wrote. */
  summary: z.string(),
  /** References of results that are sent as one line. */
  cleared: z.array(z.string()),
  /** Maximum characters of shortened results, by reference. */
  shortened: z.record(z.string(), z.number().int().positive()).default({}),
  /** The user's own messages before `start`. */
  said: z.array(z.strictObject({ position: z.number().int(), text: z.string() })),
  /** A window smaller than the model's, learned from a request that was refused as too long. */
  window_tokens: z.number().int().positive().nullable(),
});

/** By the name under which each fact is stored. A null fact has no row. */
export const sessionFactSchemas = {
  baseline: baselineSchema,
  red: redSchema,
  green: greenSchema,
  proof: keptProofSchema,
  prepared: preparedFactSchema,
  review: pendingReviewSchema,
  context: contextFactSchema,
} as const;

export type FactName = keyof typeof sessionFactSchemas;
export type SessionFacts = { readonly [Name in FactName]: z.infer<(typeof sessionFactSchemas)[Name]> | null };

export const FACT_NAMES = Object.keys(sessionFactSchemas) as readonly FactName[];

export type Baseline = z.infer<typeof baselineSchema>;
export type Red = z.infer<typeof redSchema>;
export type RepeatedGreen = z.infer<typeof repeatedGreenSchema>;
export type ContextFact = z.infer<typeof contextFactSchema>;
export type PendingReview = z.infer<typeof pendingReviewSchema>;
