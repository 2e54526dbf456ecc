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
import { sessionOptionsSchema } from './session-protocol.ts';
import { todoItemSchema } from './todo.ts';

/** What requests to one model for one purpose have used. */
export const spendingSchema = z.strictObject({
  model: z.string(),
  purpose: z.enum(['work', 'summary', 'title']),
  requests: z.number().int(),
  ...usageSchema.required().shape,
  /** Null where the model has no known price. */
  cost_usd: z.number().nullable(),
});

const revisionSchema = z.strictObject({
  reason: z.string(),
  at_ms: z.number(),
  /** Path -> hash of the tests that had been seen to fail. */
  tests: z.record(z.string(), z.string()),
  /** Begun when the suite passed, since a case leaves state behind: hooks that clean up after cases are additions then. */
  at_green: z.literal(true).optional(),
  /** Their texts, until they have been run again. Absent also where they were too large. */
  texts: z.record(z.string(), z.string()).optional(),
  /** What was no mere addition to them; absent: not known. */
  rewritten: z.array(z.string()).optional(),
});

/** Tests that the model went back to after they had been seen to fail. */
export type TestRevision = z.infer<typeof revisionSchema>;

/** Where a fork leaves the session that it is a copy of. */
export const forkedFromSchema = z.strictObject({
  session: z.string(),
  /** How many of the person's messages both have. */
  after: z.number().int().nonnegative(),
  /** The beginning of the last one of them; empty where there is none. */
  text: z.string(),
});

export type ForkedFrom = z.infer<typeof forkedFromSchema>;

/** How far a session has come, beside its row, its facts, its messages and its events. Small: it is written whenever a part of it changes. */
export const progressSchema = z.strictObject({
  version: z.literal(1),
  options: sessionOptionsSchema,
  task: z.string(),
  /** A run is under way: after a restart it goes on. */
  running: z.boolean(),
  /** Strict mode under an exemption: these paths and no others may change. */
  exemption: z.strictObject({ category: z.string(), paths: z.array(z.string()), reason: z.string() }).nullable(),
  /** Said during a run, by the user or as a note of the kernel, and not yet part of the conversation. */
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
  /** Commits that were undone since the last one was made, the last undone one at the end. */
  undone: z.array(z.string()).default([]),
  /** Ids of the last messages that were taken: one that comes again is not another. */
  taken: z.array(z.string()).default([]),
  /** What the model says that the change is; null until it says so, and then it is a feature. */
  kind: changeKindSchema.nullable().default(null),
  /** The run of the suite that opened the source for a change that needs no failing test; `frozen` as in red, `passed` counts all cases, and `cases` are those of changed tests. */
  opened: z
    .strictObject({
      at_ms: z.number(),
      passed: z.number().int().default(0),
      cases: z.array(z.string()),
      frozen: z.record(z.string(), z.string()),
    })
    .nullable()
    .default(null),
  /** What the project's own test command did on HEAD, where that was run: it is not run there again. */
  plain_on_head: z
    .strictObject({
      head: z.string(),
      script: z.string(),
      ends: z.enum(['passes', 'passes-built', 'fails']),
      why: z.string(),
    })
    .nullable()
    .default(null),
  /** Checks of the project that were not done in time, by directory and script: they are not run again. */
  hanging_checks: z.array(z.string()).default([]),
  plan: z.strictObject({ summary: z.string(), steps: z.array(z.string()) }).nullable(),
  /** The steps that people see, as the model keeps them. */
  todo: z.array(todoItemSchema).default([]),
  /** The small model has given the session its title. */
  titled: z.boolean().default(false),
  /** How the last test run ended that only informed; null before the first. */
  last_tests: z.string().nullable().default(null),
  /** What the last test run of a tool call had beside its sandbox; the runs that decide have the same. Null: nothing, or no run yet. */
  test_network: z
    .strictObject({ services: z.array(z.string()), groups: z.array(z.string()), hosts: z.array(z.string()) })
    .nullable()
    .default(null),
  /** Test files that failed in the last run of the whole suite, and not before the session. */
  failing_files: z.array(z.string()).default([]),
  /** Waits for the user's answer. */
  question: questionSchema.nullable().default(null),
  revisions: z.array(revisionSchema),
  /** What a reviewer should know, found by the gates of the last green run. */
  findings: z.array(z.string()),
  /** The last measurement of the whole source; null: none, or the project has no coverage baseline. */
  coverage: keptCoverageSchema.nullable().default(null),
  /** A person has rejected or edited a proposal of this task: each later one waits for a person too. */
  sent_back: z.boolean().default(false),
  /** Packages that this task has brought into the lockfile. */
  added_packages: z.array(addedPackageSchema).default([]),
  /** Paths that differed from HEAD before the session's first write; null until looked at. */
  dirty_at_start: z.array(z.string()).nullable(),
  base: z.strictObject({ branch: z.string(), head: z.string() }).nullable(),
  /** Message that the model proposed, once it did. */
  commit_message: z.string().nullable(),
  /** Why no commit could be made the last time, and the digest of what was staged then. */
  commit_refused: z.strictObject({ reason: z.string(), staging_digest: z.string() }).nullable().default(null),
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
  /** Notes that the conversation holds: one is added again only when it says something else. */
  notes_sent: z
    .strictObject({
      environment: z.string().nullable().default(null),
      project: z.string().nullable(),
      state: z.string().nullable(),
      /** Directories whose own notes have been looked for. */
      folders: z.array(z.string()).default([]),
    })
    .default({ environment: null, project: null, state: null, folders: [] }),
  /** Messages at the beginning of the conversation that are those of the session it is a fork of. */
  inherited_messages: z.number().int().nonnegative().default(0),
  /** Null: it is no fork, or was made before this was known. */
  forked_from: forkedFromSchema.nullable().default(null),
  /** Pinned by the user: never summarised. */
  pins: z.array(z.string()).default([]),
  /** What was refused in this task, and why; the newest last. */
  refusals: z.array(z.strictObject({ tool: z.string(), code: z.string(), message: z.string() })).default([]),
  /** The user wants the conversation compacted before the next request, and says what to keep. */
  compact: z.strictObject({ keep: z.string() }).nullable().default(null),
  /** Bytes of a request for each token that the provider counted. */
  bytes_per_token: z.number().positive().default(3.5),
  /** Of all tasks of the session. */
  spending: z.array(spendingSchema).default([]),
  /** Asked in place of the chosen model until the run ends, and in later runs while that one is left alone. */
  stand_in: modelChoiceSchema.nullable().default(null),
  /** Models that have failed, and until when they are left alone as long as another can answer. */
  outages: z.array(z.strictObject({ model: z.string(), until_ms: z.number() })).default([]),
  /** Images that a model's provider refused: words go to it in their place. */
  refused_images: z.array(z.strictObject({ model: z.string(), reference: z.string() })).default([]),
  /** Models that have answered in this task, the last one last. */
  answered_by: z.array(z.string()).default([]),
  /** Last thing the model said. */
  answer: z.string(),
  run_started_ms: z.number(),
  files_changed: z.array(z.string()),
});

export type Spending = z.infer<typeof spendingSchema>;
export type Progress = z.infer<typeof progressSchema>;

/** Everything decided about a session: what it needs to go on after the kernel was killed at any moment. */
export type Snapshot = Progress & SessionFacts;
