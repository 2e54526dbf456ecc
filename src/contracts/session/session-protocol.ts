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
 * Requests of the CLI and the TUI to the kernel over its socket (cli.sock), as ipc requests, each with the schema of its answer. The kernel sends
 * `session.event` events ({event}) to every connection attached to that session, in order of seq.
 */

/** Limits of one run; absent means no limit. Tokens count input and output of every model request. */
export const runLimitsSchema = z.strictObject({
  max_turns: z.number().int().positive().optional(),
  max_tokens: z.number().int().positive().optional(),
  max_cost_usd: z.number().positive().optional(),
  max_duration_ms: z.number().int().positive().optional(),
  /** For all runs of the session together, including summaries. */
  max_session_tokens: z.number().int().positive().optional(),
  max_session_cost_usd: z.number().positive().optional(),
  /** For all sessions of the user: per day, and in this project. */
  max_day_tokens: z.number().int().positive().optional(),
  max_day_cost_usd: z.number().positive().optional(),
  max_project_tokens: z.number().int().positive().optional(),
  max_project_cost_usd: z.number().positive().optional(),
});

const partSchema = z.strictObject({
  /** A name of the registry (`src/kernel/runners/registry.ts`); other runners cannot be used. */
  runner: z.string().max(40),
  /** Project-relative directory in which the runner starts; '' is the project root. */
  cwd: z.string(),
  /** Further arguments; for `generic` the whole command. */
  args: z.array(z.string()),
});

export const testCommandSchema = z.strictObject({
  ...partSchema.shape,
  /** Further packages of the repository, each with its runner: a path belongs to the nearest package. */
  others: z.array(partSchema).optional(),
  /** For `generic`: the report's format. */
  report: z.enum(['junit', 'tap']).optional(),
  /** For `generic`: the path of the report, as a glob below `cwd`; absent: the command prints it. */
  report_file: z.string().optional(),
  /** For `generic`: globs of its test files, below `cwd`. */
  files: z.array(z.string()).optional(),
  /** Whether the project's own lint, type and format checks run together with its tests; the user's choice. Absent: those that are found run. */
  checks: z.enum(['found', 'none']).optional(),
  /** Time after which a run is ended; the user's choice. Absent: five minutes. */
  timeout_ms: z.number().int().positive().optional(),
  /** Maximum size of a report that is read; the user's choice. Absent: 16 MiB. */
  max_report_bytes: z.number().int().positive().optional(),
});

/** Maximum characters of the user's own notes. */
export const MAX_USER_NOTES = 32 * 1024;

/** What the host resolved for a session; the kernel trusts the host for all of it. */
export const sessionOptionsSchema = z.strictObject({
  mode: z.enum(SESSION_MODES),
  ...modelChoiceSchema.shape,
  approve: z.enum(['never', 'auto', 'ask']),
  limits: runLimitsSchema,
  /** Working directory of the user, project-relative; '' is the project root. */
  cwd: z.string(),
  test_command: testCommandSchema.nullable(),
  author: z.strictObject({ name: z.string(), email: z.string() }),
  /** `core.autocrlf` in the user's own git settings: git stores text with LF where the repository says nothing of it. */
  autocrlf: z.literal(true).optional(),
  /** A waiting review ends the run (headless) or keeps it open (interactive). */
  interactive: z.boolean(),
  /** Writes summaries; absent: `model` writes them. */
  small_model: z
    .strictObject({
      model: z.string(),
      price: modelPriceSchema.optional(),
      window_tokens: z.number().int().positive().optional(),
    })
    .optional(),
  /** `AGENTS.md` and `CLAUDE.md` of the user's configuration directory, written by the user. */
  user_notes: z
    .string()
    .max(2 * MAX_USER_NOTES)
    .optional(),
  /** Used in place of `model`, one after the other, while its provider fails. */
  fallback_models: z.array(modelChoiceSchema).optional(),
});

/** If refused, `paths` prevent it. */
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
   * Resumes an existing session (`latest` = the newest); `fork` copies its history into a new session. Past events follow from `after_seq`. New ones
   * have greater numbers, even if the kernel died before it had written the events that it had shown.
   */
  'session.resume': {
    params: z.strictObject({
      session_id: z.union([sessionId, z.literal('latest')]),
      fork: z.boolean(),
      /** For a fork: how many of the person's last messages it lacks, with everything after the first of them. Then no staged changes are copied. */
      without_last: z.number().int().positive().optional(),
      after_seq: z.number().int().nonnegative(),
      options: sessionOptionsSchema,
      /** The session keeps its own model, whatever the options say, because the user named none. */
      keep_model: z.literal(true).optional(),
    }),
    result: z.strictObject({ session_id: sessionId }),
  },
  /**
   * A task or a further message. Answered at once; the run reports by events and ends with `session.finished`. During a run the message joins it
   * before the model's next turn. `message.user` reports that it is part of the conversation. A message that is sent again under its `message_id`,
   * because its answer was lost, counts once.
   */
  'session.message': {
    params: z.strictObject({
      session_id: sessionId,
      text: z.string(),
      context: z.string().optional(),
      /** Commands of the user or the project that the text calls. */
      commands: z.array(calledCommandSchema).min(1).max(8).optional(),
      /** Images from outside the project; the kernel reads those inside. */
      images: z.array(givenImageSchema).max(MAX_IMAGES).optional(),
      message_id: z.string().min(1).max(64).optional(),
    }),
    result: z.strictObject({}),
  },
  /** Ends the current run; staged work stays. `unattended`: there is no one left to answer its review, which keeps waiting. */
  'session.interrupt': {
    params: z.strictObject({
      session_id: sessionId,
      signal: z.enum(['interrupt', 'terminate', 'unattended']),
      /** Messages of the user that the model has not read are returned and not kept. */
      give_back: z.literal(true).optional(),
    }),
    result: z.strictObject({ unread: z.array(z.string()).optional() }),
  },
  /** Returns to idle and drops staged work. */
  'session.reset': { params: z.strictObject({ session_id: sessionId }), result: z.strictObject({}) },
  /** Answers with the title as stored: on one line, without control characters. */
  'session.rename': {
    params: z.strictObject({ session_id: sessionId, title: z.string().min(1).max(2_000) }),
    result: z.strictObject({ title: z.string() }),
  },
  /** Removes the session from the list; `undo` and resuming it add it again, with its status. Throws `session_busy` while it works. */
  'session.archive': {
    params: z.strictObject({ session_id: sessionId, undo: z.literal(true).optional() }),
    result: z.strictObject({}),
  },
  /**
   * Removes the session with its conversation and staged work; audit log and commits stay. With `keep_staged`, a session with staged work is kept.
   * Throws `session_busy` while it works.
   */
  'session.remove': {
    params: z.strictObject({ session_id: sessionId, keep_staged: z.literal(true).optional() }),
    result: z.strictObject({ kept: z.literal(true).optional() }),
  },
  /** The user is typing: sandboxes that were closed are prepared again. */
  'session.warm': { params: z.strictObject({ session_id: sessionId }), result: z.strictObject({}) },
  /**
   * Runs a script for sh that the user typed, in a sandbox, under the policy; its changes are dropped. Reported as a call by the user; its output is
   * a note in the conversation. Answered when it has ended; `session.interrupt` ends it. Throws `session_busy` during a run.
   */
  'session.run': {
    params: z.strictObject({ session_id: sessionId, script: z.string().min(1).max(32_768) }),
    result: z.strictObject({}),
  },
  /**
   * A note of the user for the project's memory file, proposed as a commit. Answered when the commit is made or waits for a decision; if it is
   * refused, nothing is kept. `session.interrupt` ends it. Throws `session_busy` during a run.
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
  /** Undoes the session's last commit. Refused, with the files that people have changed since, if the project is not as the merge left it. */
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
  /** Another model or effort, from the next request on. The conversation is unchanged. Not `ok`: policy or a limit in money prevents it. */
  'session.set_model': {
    params: z.strictObject({ session_id: sessionId, choice: modelChoiceSchema }),
    result: z.strictObject({ ok: z.boolean(), reason: z.string() }),
  },
  /** Compacts the conversation before the next request; `keep` says what the summary must not lose. */
  'session.compact': {
    params: z.strictObject({ session_id: sessionId, keep: z.string().max(4_000) }),
    result: z.strictObject({}),
  },
  /** Pins a text: it, and results of calls that name it, are never left out. */
  'session.pin': {
    params: z.strictObject({ session_id: sessionId, text: z.string().min(1).max(20_000) }),
    result: z.strictObject({ pins: z.array(z.string()) }),
  },
  /** `pin`: its number, counted from 1, or its text. Answers with the remaining pins; `removed` is null if there is no such pin. */
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
  /** A finished call. `later`: how many calls with the same id have finished since. */
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
