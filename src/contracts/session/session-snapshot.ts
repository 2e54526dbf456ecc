import { z } from 'zod';
import { changeKindSchema } from '../review/change-kinds.ts';
import { keptCoverageSchema } from '../review/coverage.ts';
import { messageImageSchema } from '../model/image.ts';
import { modelChoiceSchema } from '../model/model-choice.ts';
import { usageSchema } from '../model/model.ts';
import { addedPackageSchema } from './added-package.ts';
import { questionSchema } from './question.ts';
import { refusalSchema } from '../model/refusal.ts';
import type { SessionFacts } from './session-facts.ts';
import { SESSION_STATUSES } from './session-status.ts';
import { sessionOptionsSchema } from './session-protocol.ts';
import { todoItemSchema } from './todo.ts';

/** The use of one model for one purpose. */
export const spendingSchema = z.strictObject({
  model: z.string(),
  purpose: z.enum(['work', 'summary', 'title']),
  requests: z.number().int(),
  ...usageSchema.required().shape,
  /** null if the model has no known price. */
  cost_usd: z.number().nullable(),
});

const revisionSchema = z.strictObject({
  reason: z.string(),
  at_ms: z.number(),
  /** Path -> hash of the tests that had been seen to fail. */
  tests: z.record(z.string(), z.string()),
  /** Started when the suite passed, because a case leaves state behind: hooks that clean up after cases count as additions then. */
  at_green: z.literal(true).optional(),
  /** Texts of the tests, until they have run again. Absent also if they were too large. */
  texts: z.record(z.string(), z.string()).optional(),
  /** Tests that were changed beyond additions; absent: unknown. */
  rewritten: z.array(z.string()).optional(),
});

/** Tests that the model changed after they had been seen to fail. */
export type TestRevision = z.infer<typeof revisionSchema>;

/** Where a fork separates from the session that it copies. */
export const forkedFromSchema = z.strictObject({
  session: z.string(),
  /** Number of the person's messages that both have. */
  after: z.number().int().nonnegative(),
  /** The beginning of the last of these messages; empty if there is none. */
  text: z.string(),
});

export type ForkedFrom = z.infer<typeof forkedFromSchema>;

/** The progress of a session, apart from its row, facts, messages and events. Small: it is written whenever a part of it changes. */
export const progressSchema = z.strictObject({
  version: z.literal(1),
  options: sessionOptionsSchema,
  task: z.string(),
  /** A run is in progress: it continues after a restart. */
  running: z.boolean(),
  /** Strict mode under an exemption: only these paths may change. */
  exemption: z.strictObject({ category: z.string(), paths: z.array(z.string()), reason: z.string() }).nullable(),
  /** Messages of the user or notes of the kernel during a run that are not yet part of the conversation. */
  queued: z
    .array(
      z.strictObject({
        text: z.string(),
        context: z.string().optional(),
        note: z.string().optional(),
        message_id: z.string().optional(),
        images: z.array(messageImageSchema).optional(),
        author: z.literal('kernel').optional(),
      }),
    )
    .default([]),
  /** Commits that were undone since the last commit, the last undone one at the end. */
  undone: z.array(z.string()).default([]),
  /** Ids of the last accepted messages: one that is sent again is not added again. */
  taken: z.array(z.string()).default([]),
  /** The kind of the change according to the model; null until the model has said it; then it counts as a feature. */
  kind: changeKindSchema.nullable().default(null),
  /**
   * The run of the suite that opened the source for a change that needs no failing test; `frozen` as in red, `passed` counts all cases, and `cases`
   * are those of changed tests.
   */
  opened: z
    .strictObject({
      at_ms: z.number(),
      passed: z.number().int().default(0),
      cases: z.array(z.string()),
      frozen: z.record(z.string(), z.string()),
    })
    .nullable()
    .default(null),
  /** The result of the project's own test command on HEAD, if it was run; it is not run there again. */
  plain_on_head: z
    .strictObject({
      head: z.string(),
      script: z.string(),
      ends: z.enum(['passes', 'passes-built', 'fails']),
      why: z.string(),
    })
    .nullable()
    .default(null),
  /** Checks of the project that exceeded their time, by directory and script: they are not run again. */
  hanging_checks: z.array(z.string()).default([]),
  plan: z.strictObject({ summary: z.string(), steps: z.array(z.string()) }).nullable(),
  /** The steps that people see, as the model keeps them. */
  todo: z.array(todoItemSchema).default([]),
  /** The commit that the plan ended with; null: none yet. */
  plan_commit: z.string().nullable().default(null),
  /** The small model has given the session its title. */
  titled: z.boolean().default(false),
  /** Result of the last test run that only informed; null before the first. */
  last_tests: z.string().nullable().default(null),
  /** The network of the last test run of a tool call; the runs that decide have the same. null: none, or no run yet. */
  test_network: z
    .strictObject({ services: z.array(z.string()), groups: z.array(z.string()), hosts: z.array(z.string()) })
    .nullable()
    .default(null),
  /** Test files that failed in the last run of the whole suite, and not before the session. */
  failing_files: z.array(z.string()).default([]),
  /** The question that waits for the user's answer. */
  question: questionSchema.nullable().default(null),
  revisions: z.array(revisionSchema),
  /** What a reviewer should know, found by the gates of the last green run. */
  findings: z.array(z.string()),
  /** The last measurement of the whole source; null: not measured, or the project has no coverage baseline. */
  coverage: keptCoverageSchema.nullable().default(null),
  /** A person has rejected or edited a proposal of this task: each later one waits for a person too. */
  sent_back: z.boolean().default(false),
  /** Packages that this task has added to the lockfile. */
  added_packages: z.array(addedPackageSchema).default([]),
  /** Paths that differed from HEAD before the session's first write; null until determined. */
  dirty_at_start: z.array(z.string()).nullable(),
  base: z.strictObject({ branch: z.string(), head: z.string() }).nullable(),
  /** The message that the model proposed, or null. */
  commit_message: z.string().nullable(),
  /** Why the last commit could not be made, and the digest of the staged changes at that time. */
  commit_refused: z.strictObject({ reason: z.string(), staging_digest: z.string() }).nullable().default(null),
  usage: usageSchema,
  cost_usd: z.number(),
  model_turns: z.number().int(),
  /** Consecutive answers without a call, in a state that requires one. */
  idle_answers: z.number().int(),
  /** Whether a gate, the policy or the lack of a person refused something in this run; decides the exit code of a failed run. */
  refused: z.strictObject({ gate: z.boolean(), policy: z.boolean(), review: z.boolean() }),
  gave_up: z.string().nullable(),
  /** For people who ask why; it decides nothing. */
  last_refusal: refusalSchema.nullable().default(null),
  /** Notes in the conversation: one is added again only if its text has changed. */
  notes_sent: z
    .strictObject({
      environment: z.string().nullable().default(null),
      project: z.string().nullable(),
      state: z.string().nullable(),
      /** Directories whose own notes have been searched for. */
      folders: z.array(z.string()).default([]),
    })
    .default({ environment: null, project: null, state: null, folders: [] }),
  /** Number of messages at the beginning of the conversation that come from the forked session. */
  inherited_messages: z.number().int().nonnegative().default(0),
  /** The status that an archived session had, and has again when it is back; null: not archived, or archived before this was recorded. */
  archived_as: z.enum(SESSION_STATUSES).nullable().default(null),
  /** null: not a fork, or made before this was recorded. */
  forked_from: forkedFromSchema.nullable().default(null),
  /** Pinned by the user: never summarised. */
  pins: z.array(z.string()).default([]),
  /** What was refused in this task, and why; newest last. */
  refusals: z.array(z.strictObject({ tool: z.string(), code: z.string(), message: z.string() })).default([]),
  /** The user wants the conversation compacted before the next request, and says what to keep. */
  compact: z.strictObject({ keep: z.string() }).nullable().default(null),
  /** Bytes of a request per token that the provider counted. */
  bytes_per_token: z.number().positive().default(3.5),
  /** For all tasks of the session. */
  spending: z.array(spendingSchema).default([]),
  /** Used in place of the chosen model until the run ends, and in later runs while the chosen one counts as failing. */
  stand_in: modelChoiceSchema.nullable().default(null),
  /** Models that have failed, and until when they are not asked as long as another can answer. */
  outages: z.array(z.strictObject({ model: z.string(), until_ms: z.number() })).default([]),
  /** Images that a model's provider refused; text replaces them for that model. */
  refused_images: z.array(z.strictObject({ model: z.string(), reference: z.string() })).default([]),
  /** Models that have answered in this task, the last one last. */
  answered_by: z.array(z.string()).default([]),
  /** The last text of the model. */
  answer: z.string(),
  run_started_ms: z.number(),
  files_changed: z.array(z.string()),
});

export type Spending = z.infer<typeof spendingSchema>;
export type Progress = z.infer<typeof progressSchema>;

/** Everything decided about a session: what it needs to continue after the kernel was killed at any moment. */
export type Snapshot = Progress & SessionFacts;
