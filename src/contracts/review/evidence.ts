import { z } from 'zod';
import { fileStateSchema } from './change-set.ts';
import { objectIdSchema, reviewIdSchema, sessionIdSchema, sha256Schema } from '../ids.ts';
import type { Sha256 } from '../ids.ts';
import { changeKindSchema } from './change-kinds.ts';
import { coverageLinesSchema } from './coverage.ts';
import { observationSchema, proofSchema, redBySchema } from './proof.ts';
import { SESSION_MODES } from '../session/workflow-states.ts';

/**
 * The proof behind a commit, for a reader who trusts neither the model nor the person who ran it.
 *
 * It is made in three steps, so that each can refer to the one before:
 *   1. the kernel writes its observations (`facts`); their SHA-256, over RFC 8785 JSON, is the commit's `Fluffy-Evidence` trailer
 *   2. a decision is made over the review's digest, which covers the message with that trailer
 *   3. the host puts facts, decision and the head of the audit log into an in-toto statement about the finished commit's id, and signs
 *      it as a DSSE envelope, stored in the tree of `refs/fluffy/evidence` as <2 hex>/<62 hex of the facts' digest>.json
 */
export const EVIDENCE_REF = 'refs/fluffy/evidence';
/** Where the evidence of other people is searched too: each person pushes to a ref of their own, so that nobody overwrites another's. */
export const OTHERS_EVIDENCE_REFS = 'refs/fluffy/from/';
export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
/** Version 2 has `kind` and, if something was observed, `proof` in its facts; version 1 has neither. */
export const PREDICATE_TYPES = { v1: 'urn:fluffy:commit:v1', v2: 'urn:fluffy:commit:v2' } as const;
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
/** Maximum size of a commit's facts as RFC 8785 JSON: the host buffers them, and everybody fetches them. */
export const MAX_FACTS_BYTES = 2 * 1024 * 1024;
/** A larger envelope was not written by fluffy. */
export const MAX_ENVELOPE_BYTES = 4 * 1024 * 1024;

/** One test case, as everywhere: project-relative file, full name. */
const caseSchema = z.strictObject({ file: z.string(), name: z.string() });
const frozenFileSchema = z.strictObject({ path: z.string(), sha256: sha256Schema });

/** The run that failed before the source was written, and the test files at that time. */
const redSchema = z.strictObject({
  run_id: z.string(),
  /** Digest of the staging layer in the run. */
  staging: sha256Schema,
  failed: z.array(caseSchema),
  test_files: z.array(frozenFileSchema),
  /** Sources that contain tests: the SHA-256 covers these tests only, as `hashOfTests` computes it. */
  tests_in_sources: z.array(frozenFileSchema).optional(),
  at_ms: z.number().int(),
  /** Since version 2. */
  by: redBySchema.optional(),
});

/** The whole suite on exactly the committed tree. */
const greenSchema = z.strictObject({
  run_id: z.string(),
  staging: sha256Schema,
  passed: z.number().int().nonnegative(),
  failed: z.array(caseSchema),
  skipped: z.number().int().nonnegative(),
  /** Cases that were red and pass now. */
  turned: z.array(caseSchema),
  at_ms: z.number().int(),
  /** If the user had uncommitted work: the suite once more on the tree alone, with git-ignored files unchanged. */
  repeated: z
    .strictObject({
      run_id: z.string(),
      tree: objectIdSchema,
      passed: z.number().int().nonnegative(),
      failed: z.array(caseSchema),
      skipped: z.number().int().nonnegative(),
      at_ms: z.number().int(),
    })
    .optional(),
});

/** Observations about the change beyond red and green, and what a person had to look at. */
const evidenceProofSchema = proofSchema.extend({
  observations: z.array(observationSchema.omit({ duration_ms: true, differs_again: true })),
});

/** Facts that the kernel has observed. Optional parts are not required in every mode (explore has no red). */
export const evidenceFactsSchema = z.strictObject({
  session_id: sessionIdSchema,
  mode: z.enum(SESSION_MODES),
  /** Since version 2. */
  kind: changeKindSchema.optional(),
  tree: objectIdSchema,
  parent: objectIdSchema,
  branch: z.string(),
  model: z.string(),
  /** All models that answered in the task, if there were several. */
  models: z.array(z.string()).optional(),
  policy_sha256: sha256Schema,
  images: z.record(z.string(), z.string()),
  /** From the parent's tree to this one, sorted by path. */
  changes: z.array(z.strictObject({ path: z.string(), before: fileStateSchema, after: fileStateSchema })),
  red: redSchema.nullable(),
  green: greenSchema.nullable(),
  /** Since version 2, if something was red. */
  proof: evidenceProofSchema.optional(),
  /** Lines of all sources that the suite executes, in a project with a coverage baseline, and the baseline. */
  coverage: z.strictObject({ lines: coverageLinesSchema, baseline: coverageLinesSchema.optional() }).optional(),
  /** What the tests could use outside their sandbox in the runs that decided: services, and external hosts. Absent: nothing. */
  network: z.strictObject({ services: z.array(z.string()), hosts: z.array(z.string()) }).optional(),
  /** What failed before the session wrote anything: cases, and files that did not load. */
  pre_existing: z.strictObject({ failed: z.array(caseSchema), broken_files: z.array(z.string()) }),
  /** Paths that policy allowed to change without a test, and why. */
  exemption: z.strictObject({ category: z.string(), paths: z.array(z.string()), reason: z.string() }).nullable(),
  /** Reasons given for changing tests after they had been seen to fail. */
  revisions: z.array(z.string()),
  audit: z.strictObject({ entries: z.number().int().nonnegative(), head: sha256Schema }),
  /** Milliseconds since the epoch. */
  observed_ms: z.number().int().nonnegative(),
});

/** `sha256` is the digest of what the review showed (`reviewDigest`); a person's decision is a signature over it. */
export const evidenceDecisionSchema = z.discriminatedUnion('by', [
  z.strictObject({
    by: z.literal('policy'),
    review_id: reviewIdSchema,
    sha256: sha256Schema,
    decided_ms: z.number().int().nonnegative(),
  }),
  z.strictObject({
    by: z.literal('human'),
    review_id: reviewIdSchema,
    sha256: sha256Schema,
    decided_ms: z.number().int().nonnegative(),
    signature: z.string().max(200),
    public_key: z.string().max(100),
  }),
]);

/** What the host adds: the signed head of this project's audit log, and its clock. */
const anchoredSchema = z.strictObject({
  project: z.string().max(100),
  entries: z.number().int().nonnegative(),
  head: sha256Schema,
  signed_ms: z.number().int().nonnegative(),
});

export const evidenceStatementSchema = z
  .strictObject({
    _type: z.literal(STATEMENT_TYPE),
    subject: z.tuple([z.strictObject({ name: z.string(), digest: z.strictObject({ gitCommit: objectIdSchema }) })]),
    predicateType: z.enum([PREDICATE_TYPES.v1, PREDICATE_TYPES.v2]),
    predicate: z.strictObject({
      facts: evidenceFactsSchema,
      decision: evidenceDecisionSchema,
      anchored: anchoredSchema,
    }),
  })
  .refine(({ predicateType, predicate }) => predicateType === predicateTypeOf(predicate.facts), {
    message: 'its facts are not those of its predicate type',
  });

export function predicateTypeOf({
  kind,
  proof,
}: Pick<EvidenceFacts, 'kind' | 'proof'>): (typeof PREDICATE_TYPES)['v1' | 'v2'] {
  return kind === undefined && proof === undefined ? PREDICATE_TYPES.v1 : PREDICATE_TYPES.v2;
}

export const dsseEnvelopeSchema = z.strictObject({
  payloadType: z.literal(PAYLOAD_TYPE),
  /** Base64 of the statement's bytes. */
  payload: z.base64(),
  signatures: z.array(z.strictObject({ keyid: z.string().max(200), sig: z.base64().max(200) })).max(16),
});

/** L1's request to the host to attest a commit. `audit` is the head of the log, including the record of the decision. */
export const attestRequestSchema = z.strictObject({
  commit: objectIdSchema,
  facts: evidenceFactsSchema,
  decision: evidenceDecisionSchema,
  audit: z.strictObject({ entries: z.number().int().nonnegative(), head: sha256Schema }),
});

export const attestAnswerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('attested'), envelope: dsseEnvelopeSchema }),
  z.strictObject({ kind: z.literal('refused'), reason: z.string() }),
]);

/** The path of the envelope for facts with this digest, below the root of the evidence ref's tree. */
export function envelopePath(digest: Sha256): string {
  return `${digest.slice(0, 2)}/${digest.slice(2)}.json`;
}

export type TestCaseName = z.infer<typeof caseSchema>;
export type EvidenceFacts = z.infer<typeof evidenceFactsSchema>;
export type EvidenceDecision = z.infer<typeof evidenceDecisionSchema>;
export type EvidenceStatement = z.infer<typeof evidenceStatementSchema>;
export type DsseEnvelope = z.infer<typeof dsseEnvelopeSchema>;
export type AttestRequest = z.infer<typeof attestRequestSchema>;
export type AttestAnswer = z.infer<typeof attestAnswerSchema>;
