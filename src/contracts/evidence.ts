import { z } from 'zod';
import { fileStateSchema } from './change-set.ts';
import { objectIdSchema, sessionIdSchema, sha256Schema } from './ids.ts';
import { SESSION_MODES } from './workflow-states.ts';

/**
 * What stands behind a commit, for somebody who trusts neither the model nor the person who ran it.
 *
 * The statement (in-toto v1, RFC 8785 canonical JSON) names tree and parent and everything the kernel observed. Its SHA-256 is the
 * commit's `Fluffy-Evidence` trailer, so the message that a human approves already stands for it. The decision follows the
 * statement and refers to it through the message; both are kept under `refs/fluffy/evidence`:
 *
 *   <2 hex>/<62 hex of the digest>/statement.json   DSSE envelope of the statement
 *   <2 hex>/<62 hex of the digest>/decision.json    who let it through, over what was shown
 */
export const EVIDENCE_REF = 'refs/fluffy/evidence';
export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
export const PREDICATE_TYPE = 'urn:fluffy:test-first:v1';
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** One test case, as everywhere: project-relative file, full name. */
const caseSchema = z.strictObject({ file: z.string(), name: z.string() });
const frozenFileSchema = z.strictObject({ path: z.string(), sha256: sha256Schema });

/** The run that failed before the source was written, and how the test files stood then. */
const redSchema = z.strictObject({
  run_id: z.string(),
  /** Staging layer that the run saw. */
  staging: sha256Schema,
  failed: z.array(caseSchema),
  test_files: z.array(frozenFileSchema),
});

/** The whole suite on exactly the tree that is committed. */
const greenSchema = z.strictObject({
  run_id: z.string(),
  staging: sha256Schema,
  passed: z.number().int().nonnegative(),
  failed: z.array(caseSchema),
  skipped: z.number().int().nonnegative(),
  /** The cases that were red, passing now. */
  turned: z.array(caseSchema),
});

/** Facts the kernel hands over; each was observed by it. Optional parts are what a mode does not ask for (explore has no red). */
export const evidenceFactsSchema = z.strictObject({
  session_id: sessionIdSchema,
  mode: z.enum(SESSION_MODES),
  tree: objectIdSchema,
  parent: objectIdSchema,
  branch: z.string(),
  model: z.string(),
  policy_sha256: sha256Schema,
  images: z.record(z.string(), z.string()),
  changes: z.array(z.strictObject({ path: z.string(), before: fileStateSchema, after: fileStateSchema })),
  red: redSchema.nullable(),
  green: greenSchema.nullable(),
  /** Cases that failed before the session wrote anything. */
  pre_existing_failures: z.array(caseSchema),
  /** Exemptions granted and reasons given for revised tests, in words. */
  exceptions: z.array(z.string()),
  audit: z.strictObject({ entries: z.number().int().nonnegative(), head: sha256Schema }),
  /** Milliseconds since the epoch. */
  observed_ms: z.number().int().nonnegative(),
});

export const evidenceStatementSchema = z.strictObject({
  _type: z.literal(STATEMENT_TYPE),
  subject: z.tuple([z.strictObject({ name: z.string(), digest: z.strictObject({ gitTree: objectIdSchema }) })]),
  predicateType: z.literal(PREDICATE_TYPE),
  predicate: evidenceFactsSchema,
});

export const dsseEnvelopeSchema = z.strictObject({
  payloadType: z.literal(PAYLOAD_TYPE),
  /** Base64 of the statement's bytes. */
  payload: z.base64(),
  signatures: z.array(z.strictObject({ keyid: z.string(), sig: z.base64() })),
});

/** `sha256` is what was shown at review; a human's decision carries the signature over it. */
export const evidenceDecisionSchema = z.strictObject({
  review_id: z.string().nullable(),
  by: z.enum(['policy', 'human']),
  sha256: sha256Schema,
  decided_ms: z.number().int().nonnegative(),
  signature: z.string().optional(),
  public_key: z.string().optional(),
});

export type EvidenceFacts = z.infer<typeof evidenceFactsSchema>;
export type EvidenceStatement = z.infer<typeof evidenceStatementSchema>;
export type DsseEnvelope = z.infer<typeof dsseEnvelopeSchema>;
export type EvidenceDecision = z.infer<typeof evidenceDecisionSchema>;
