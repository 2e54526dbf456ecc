import { z } from 'zod';
import { usageSchema } from '../../contracts/model.ts';
import { sessionOptionsSchema } from '../../contracts/session-protocol.ts';
import { refusalSchema } from './refusal.ts';

/**
 * Everything decided about a session beside its row, its messages and its events: what it needs to go on after the kernel was killed at
 * any moment. Read back through this schema; a snapshot that does not fit stops the session, not the kernel.
 * Red and baseline are the workflow's own shapes, checked there.
 */
export const snapshotSchema = z.strictObject({
  version: z.literal(1),
  options: sessionOptionsSchema,
  task: z.string(),
  /** A run is under way: after a restart it goes on. */
  running: z.boolean(),
  /** Strict mode under an exemption: these paths and no others may change. */
  exemption: z.strictObject({ category: z.string(), paths: z.array(z.string()), reason: z.string() }).nullable(),
  /** Said by the user during a run, and not yet part of the conversation. */
  queued: z.array(z.strictObject({ text: z.string(), context: z.string().optional() })).default([]),
  /** Ids of the last messages that were taken: one that comes again is not another. */
  taken: z.array(z.string()).default([]),
  plan: z.strictObject({ summary: z.string(), steps: z.array(z.string()) }).nullable(),
  baseline: z.unknown(),
  red: z.unknown(),
  revisions: z.array(
    z.strictObject({ reason: z.string(), at_ms: z.number(), tests: z.record(z.string(), z.string()) }),
  ),
  /** What a reviewer should know, found by the gates of the last green run. */
  findings: z.array(z.string()),
  green: z
    .strictObject({
      run_id: z.string(),
      at_ms: z.number(),
      staging_digest: z.string(),
      passed: z.number().int(),
      skipped: z.number().int(),
      failed: z.array(z.strictObject({ file: z.string(), name: z.string() })),
      /** The suite on exactly the tree to be committed, where the user had uncommitted work. `view` says what it was shown. */
      repeated: z
        .strictObject({
          run_id: z.string(),
          at_ms: z.number(),
          tree: z.string(),
          view: z.string(),
          passed: z.number().int(),
          skipped: z.number().int(),
          failed: z.array(z.strictObject({ file: z.string(), name: z.string() })),
          /** What fails on HEAD alone, where that was asked. */
          on_head: z
            .strictObject({
              failed: z.array(z.strictObject({ file: z.string(), name: z.string() })),
              broken_files: z.array(z.string()),
            })
            .optional(),
        })
        .optional(),
    })
    .nullable(),
  /** Paths that differed from HEAD before the session's first write; null until looked at. */
  dirty_at_start: z.array(z.string()).nullable(),
  base: z.strictObject({ branch: z.string(), head: z.string() }).nullable(),
  review: z
    .strictObject({
      review_id: z.string(),
      kind: z.enum(['merge', 'policy', 'plugin', 'mode']),
      risk: z.enum(['low', 'medium', 'high']),
      reasons: z.array(z.string()),
      base: z.string(),
      message: z.string(),
      diff: z.string(),
      sha256: z.string(),
      requested_ms: z.number(),
    })
    .nullable(),
  /** The commit that a review is about, as the repository step keeps it. */
  prepared: z.unknown(),
  /** Message that the model proposed, once it did. */
  commit_message: z.string().nullable(),
  usage: usageSchema,
  cost_usd: z.number(),
  model_turns: z.number().int(),
  /** Answers without a call, in a row, in a state that wants one. */
  idle_answers: z.number().int(),
  /** Whether a gate, the policy or a missing human refused something in this run; decides the exit code of a failed one. */
  refused: z.strictObject({ gate: z.boolean(), policy: z.boolean(), review: z.boolean() }),
  gave_up: z.string().nullable(),
  /** For people who ask why; it decides nothing. */
  last_refusal: refusalSchema.nullable().default(null),
  /** Last thing the model said. */
  answer: z.string(),
  run_started_ms: z.number(),
  files_changed: z.array(z.string()),
});

export type Snapshot = z.infer<typeof snapshotSchema>;
export type PendingReview = NonNullable<Snapshot['review']>;

export function newSnapshot(options: Snapshot['options'], nowMs: number): Snapshot {
  return {
    version: 1,
    options,
    task: '',
    running: false,
    exemption: null,
    queued: [],
    taken: [],
    plan: null,
    baseline: null,
    red: null,
    revisions: [],
    findings: [],
    green: null,
    dirty_at_start: null,
    base: null,
    review: null,
    prepared: null,
    commit_message: null,
    usage: { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0 },
    cost_usd: 0,
    model_turns: 0,
    idle_answers: 0,
    refused: { gate: false, policy: false, review: false },
    gave_up: null,
    last_refusal: null,
    answer: '',
    run_started_ms: nowMs,
    files_changed: [],
  };
}

/** What one task leaves to the next: the options, the conversation, the totals; nothing of its evidence. */
export function forNextTask(snapshot: Snapshot, task: string, nowMs: number): Snapshot {
  return { ...newSnapshot(snapshot.options, nowMs), task, taken: snapshot.taken, last_refusal: snapshot.last_refusal };
}
