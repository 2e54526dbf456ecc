import { z } from 'zod';
import { calledCommandSchema } from './called-command.ts';
import { SESSION_MODES } from './workflow-states.ts';
import { MAX_IMAGES, givenImageSchema } from '../model/image.ts';
import { modelChoiceSchema } from '../model/model-choice.ts';
import { modelPriceSchema } from '../model/model-facts.ts';
import { policyRequests } from './policy-requests.ts';
import { reviewRequests } from './review-requests.ts';
import { sessionId } from './session-id.ts';

/**
 * What the CLI and the TUI ask of the kernel over its socket (cli.sock), as ipc requests; each answer is the schema beside it.
 * The kernel sends `session.event` events ({event}) to every connection attached to that session, in order of seq.
 */

/** Limits of one run; absent means none. Tokens count input and output of every model request. */
export const runLimitsSchema = z.strictObject({
  max_turns: z.number().int().positive().optional(),
  max_tokens: z.number().int().positive().optional(),
  max_cost_usd: z.number().positive().optional(),
  max_duration_ms: z.number().int().positive().optional(),
  /** Of all runs of the session together, summaries included. */
  max_session_tokens: z.number().int().positive().optional(),
  max_session_cost_usd: z.number().positive().optional(),
  /** Of all sessions of the user: in a day, and in this project. */
  max_day_tokens: z.number().int().positive().optional(),
  max_day_cost_usd: z.number().positive().optional(),
  max_project_tokens: z.number().int().positive().optional(),
  max_project_cost_usd: z.number().positive().optional(),
});

const partSchema = z.strictObject({
  /** A name of the registry (`src/kernel/runners/registry.ts`); what is not there cannot be run. */
  runner: z.string().max(40),
  /** Project-relative directory the runner starts in; '' is the project. */
  cwd: z.string(),
  /** Further arguments; for `generic` the whole command. */
  args: z.array(z.string()),
});

export const testCommandSchema = z.strictObject({
  ...partSchema.shape,
  /** Further packages of the repository, each with its runner: a path belongs to the nearest. */
  others: z.array(partSchema).optional(),
  /** For `generic`: the report's format. */
  report: z.enum(['junit', 'tap']).optional(),
  /** For `generic`: where the report is, as a glob below `cwd`; absent: the command prints it. */
  report_file: z.string().optional(),
  /** For `generic`: globs of its test files, below `cwd`. */
  files: z.array(z.string()).optional(),
  /** Whether the project's own lint, type and format checks run beside its tests; the user's choice. Absent: those that are found do. */
  checks: z.enum(['found', 'none']).optional(),
  /** After so long a run is ended; the user's choice. Absent: five minutes. */
  timeout_ms: z.number().int().positive().optional(),
  /** The most that is read of a report; the user's choice. Absent: 16 MiB. */
  max_report_bytes: z.number().int().positive().optional(),
});

/** Characters of the user's own notes. */
export const MAX_USER_NOTES = 32 * 1024;

/** What the host resolved for a session; the kernel trusts the host for all of it. */
export const sessionOptionsSchema = z.strictObject({
  mode: z.enum(SESSION_MODES),
  ...modelChoiceSchema.shape,
  approve: z.enum(['never', 'auto', 'ask']),
  limits: runLimitsSchema,
  /** Working directory of the user, project-relative; '' is the project. */
  cwd: z.string(),
  test_command: testCommandSchema.nullable(),
  author: z.strictObject({ name: z.string(), email: z.string() }),
  /** A waiting review ends the run (headless) or keeps it open (interactive). */
  interactive: z.boolean(),
  /** Writes summaries; absent: `model` does. */
  small_model: z.strictObject({ model: z.string(), price: modelPriceSchema.optional() }).optional(),
  /** `AGENTS.md` and `CLAUDE.md` of the user's configuration directory: the user's own words. */
  user_notes: z
    .string()
    .max(2 * MAX_USER_NOTES)
    .optional(),
  /** Stand in for `model`, one after the other, while its provider fails. */
  fallback_models: z.array(modelChoiceSchema).optional(),
});

/** Refused, `paths` are in the way. */
const commitMoved = z.strictObject({
  commit: z.string().optional(),
  paths: z.array(z.string()),
  message: z.string(),
});

export const requests = {
  /** Starts a new session and attaches this connection to it. */
  'session.start': {
    params: z.strictObject({ options: sessionOptionsSchema }),
    result: z.strictObject({ session_id: sessionId }),
  },
  /**
   * Takes up an existing one (`latest` = the newest); `fork` copies its history into a new session. Past events follow from `after_seq`, and new ones have
   * greater numbers, even if the kernel died before it had written the events that it had shown.
   */
  'session.resume': {
    params: z.strictObject({
      session_id: z.union([sessionId, z.literal('latest')]),
      fork: z.boolean(),
      /** Of a fork: how many of the person's messages it lacks, with all that followed the first of them. Nothing staged is taken along then. */
      without_last: z.number().int().positive().optional(),
      after_seq: z.number().int().nonnegative(),
      options: sessionOptionsSchema,
      /** The session goes on with its own model, whatever the options say: the user named none. */
      keep_model: z.literal(true).optional(),
    }),
    result: z.strictObject({ session_id: sessionId }),
  },
  /**
   * A task or a further message. Answered at once; the run reports by events and ends with `session.finished`. While a run is under way the
   * message joins it before the model's next turn. `message.user` tells when it has become part of the conversation.
   * One that is sent again under its `message_id`, because its answer was lost, is taken once.
   */
  'session.message': {
    params: z.strictObject({
      session_id: sessionId,
      text: z.string(),
      context: z.string().optional(),
      /** Commands of the user's or the project's own that the text calls. */
      commands: z.array(calledCommandSchema).min(1).max(8).optional(),
      /** From outside of the project; those inside are read by the kernel. */
      images: z.array(givenImageSchema).max(MAX_IMAGES).optional(),
      message_id: z.string().min(1).max(64).optional(),
    }),
    result: z.strictObject({}),
  },
  /** Ends the run under way; staged work stays. `unattended`: there is no one left to answer its review, which goes on waiting. */
  'session.interrupt': {
    params: z.strictObject({
      session_id: sessionId,
      signal: z.enum(['interrupt', 'terminate', 'unattended']),
      /** Messages of the user that the model has not read come back in the answer, and are not kept. */
      give_back: z.literal(true).optional(),
    }),
    result: z.strictObject({ unread: z.array(z.string()).optional() }),
  },
  /** Back to idle, staged work dropped. */
  'session.reset': { params: z.strictObject({ session_id: sessionId }), result: z.strictObject({}) },
  /** Answers with the title as it is kept: on one line, without control characters. */
  'session.rename': {
    params: z.strictObject({ session_id: sessionId, title: z.string().min(1).max(2_000) }),
    result: z.strictObject({ title: z.string() }),
  },
  /** Out of the list; whoever takes it up again has it back. Throws `session_busy` while it works. */
  'session.archive': { params: z.strictObject({ session_id: sessionId }), result: z.strictObject({}) },
  /** With its conversation and what it has staged; audit log and commits stay. Throws `session_busy` while it works. */
  'session.remove': { params: z.strictObject({ session_id: sessionId }), result: z.strictObject({}) },
  /** Somebody types: sandboxes that were given up are made ready again. */
  'session.warm': { params: z.strictObject({ session_id: sessionId }), result: z.strictObject({}) },
  /**
   * A script for sh that the user typed, in a sandbox, under the policy; what it changes is dropped. Reported as a call by the user; what it printed is a note
   * in the conversation. Answered when it has ended; `session.interrupt` ends it. Throws `session_busy` during a run.
   */
  'session.run': {
    params: z.strictObject({ session_id: sessionId, script: z.string().min(1).max(32_768) }),
    result: z.strictObject({}),
  },
  /**
   * A note of the user for the project's memory file, proposed as a commit. Answered when that is made, or waits for a decision; refused, nothing of it is kept.
   * `session.interrupt` ends it. Throws `session_busy` during a run.
   */
  'session.note': {
    params: z.strictObject({
      session_id: sessionId,
      text: z
        .string()
        .max(2_000)
        .regex(/^[^\r\n]*\S[^\r\n]*$/),
    }),
    result: z.strictObject({ outcome: z.enum(['proposed', 'refused']), message: z.string() }),
  },
  /** Takes the session's last commit back. Refused, with the files that people have changed since, when the project is not as the merge left it. */
  'session.undo': {
    params: z.strictObject({ session_id: sessionId }),
    result: commitMoved.extend({ outcome: z.enum(['undone', 'refused']) }),
  },
  /** Makes the last undone commit again, with the same files and id. Refused if the project has changed since the undo. */
  'session.redo': {
    params: z.strictObject({ session_id: sessionId }),
    result: commitMoved.extend({ outcome: z.enum(['redone', 'refused']) }),
  },
  'session.set_mode': {
    params: z.strictObject({ session_id: sessionId, mode: z.enum(SESSION_MODES) }),
    result: z.strictObject({ ok: z.boolean(), reason: z.string() }),
  },
  /** Another model or effort, from the next request on. The conversation goes on as it is. Not `ok`: policy or a limit in money is against it. */
  'session.set_model': {
    params: z.strictObject({ session_id: sessionId, choice: modelChoiceSchema }),
    result: z.strictObject({ ok: z.boolean(), reason: z.string() }),
  },
  /** Has the conversation compacted before the next request; `keep` says what the summary must not lose. */
  'session.compact': {
    params: z.strictObject({ session_id: sessionId, keep: z.string().max(4_000) }),
    result: z.strictObject({}),
  },
  /** Keeps a text, and results of calls that name it, from ever being left out. */
  'session.pin': {
    params: z.strictObject({ session_id: sessionId, text: z.string().min(1).max(20_000) }),
    result: z.strictObject({ pins: z.array(z.string()) }),
  },
  /** `pin`: its number, counted from 1, or its text. Answers with those that are left; `removed` is null where there is no such pin. */
  'session.unpin': {
    params: z.strictObject({ session_id: sessionId, pin: z.string().max(20_000) }),
    result: z.strictObject({ removed: z.string().nullable(), pins: z.array(z.string()) }),
  },
  /** Text for the commands of these names. */
  'session.describe': {
    params: z.strictObject({
      session_id: sessionId,
      what: z.enum([
        'status',
        'budget',
        'context',
        'cost',
        'diff',
        'why',
        'plan',
        'tests',
        'proof',
        'policy',
        'audit',
        'sandboxes',
        'agents-file',
      ]),
    }),
    result: z.strictObject({ text: z.string() }),
  },
  /** A call that has ended. `later`: how many calls with the same id have ended since. */
  'session.call': {
    params: z.strictObject({
      session_id: sessionId,
      call_id: z.string().max(200),
      later: z.number().int().nonnegative(),
    }),
    result: z.strictObject({ call: z.strictObject({ input: z.string(), output: z.string() }).nullable() }),
  },
  ...reviewRequests,
  ...policyRequests,
  'kernel.ping': {
    params: z.strictObject({}),
    result: z.strictObject({ pid: z.number(), sessions: z.number().int() }),
  },
} as const;

export type RequestMethod = keyof typeof requests;
export type RequestParams<M extends RequestMethod> = z.infer<(typeof requests)[M]['params']>;
export type RequestResult<M extends RequestMethod> = z.infer<(typeof requests)[M]['result']>;
export type SessionOptions = z.infer<typeof sessionOptionsSchema>;
export type RunLimits = z.infer<typeof runLimitsSchema>;
export type TestCommand = z.infer<typeof testCommandSchema>;
