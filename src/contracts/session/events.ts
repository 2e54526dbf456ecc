import { z } from 'zod';
import { SESSION_MODES, SESSION_STATES } from './workflow-states.ts';
import { testCaseSchema, testOutcomeSchema } from '../sandbox/test-run.ts';
import { EFFORTS } from '../model/model-facts.ts';
import { usageSchema } from '../model/model.ts';
import { OBSERVATIONS } from '../review/proof.ts';
import { questionSchema } from './question.ts';
import { runLimitsSchema } from './session-protocol.ts';
import { cardFactsSchema } from '../review/review-card.ts';
import { todoItemSchema } from './todo.ts';

/** The union of all events: the TUI draws them, the JSON printer prints them, tests read them. Events report; they never decide. */

const mode = z.enum(SESSION_MODES);
const state = z.enum(SESSION_STATES);
const ok = z.boolean();

export const eventBodySchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('session.started'),
    project: z.string(),
    mode,
    model: z.string(),
    tools: z.array(z.string()),
    policy_hash: z.string(),
    images: z.record(z.string(), z.string()),
    /** Limits of each run; absent if there are none. */
    limits: runLimitsSchema.optional(),
  }),
  z.strictObject({
    type: z.literal('state.changed'),
    from: state,
    to: state,
    trigger: z.string(),
    guard: z.string().optional(),
  }),
  z.strictObject({ type: z.literal('mode.changed'), from: mode, to: mode, by: z.enum(['policy', 'human']) }),
  /** `by` `fallback`: the provider of `from` failed, or the run in which it failed is over. */
  z.strictObject({
    type: z.literal('model.changed'),
    from: z.string(),
    to: z.string(),
    by: z.enum(['user', 'fallback']),
    effort: z.enum(EFFORTS).optional(),
  }),
  /** `message_id` is the sender's id of the message: `text` may be cut. */
  z.strictObject({ type: z.literal('message.user'), text: z.string(), message_id: z.string().optional() }),
  /** The model's thoughts before it went on, if the vendor shows them. Not part of the conversation. */
  z.strictObject({ type: z.literal('thinking.done'), text: z.string(), duration_ms: z.number() }),
  z.strictObject({ type: z.literal('text.delta'), text: z.string() }),
  z.strictObject({ type: z.literal('text.done'), text: z.string() }),
  z.strictObject({
    type: z.literal('tool.started'),
    call_id: z.string(),
    tool: z.string(),
    input: z.unknown(),
    /** What the call does, in the tool's own words. Absent if there are none. */
    summary: z.string().optional(),
    /** A command that the user typed, or a call that follows from an edit at review. Absent: a call of the model. */
    by: z.literal('user').optional(),
  }),
  z.strictObject({
    type: z.literal('tool.finished'),
    call_id: z.string(),
    tool: z.string(),
    ok,
    summary: z.string(),
    duration_ms: z.number(),
    sandbox_id: z.string().optional(),
    /** A command ran and its exit code was not 0. The call itself succeeded. */
    command_failed: z.literal(true).optional(),
    /** The output of a command of the user; of a long output mainly the end. */
    output: z.string().optional(),
    /** A unified diff of a write's changes, for display. */
    diff: z.string().optional(),
    error: z.strictObject({ code: z.string(), message: z.string(), retryable: z.boolean() }).optional(),
  }),
  z.strictObject({
    type: z.literal('policy.decision'),
    call_id: z.string().optional(),
    syscall: z.string(),
    target: z.string().optional(),
    decision: z.enum(['allowed', 'denied', 'review_required', 'allowed_by_token']),
    /** All matching rules, by name. */
    rules: z.array(z.string()),
    /** The rules that denied or required a review; empty if no rule allowed the call. */
    decided_by: z.array(z.string()).optional(),
    reason: z.string(),
  }),
  /** Emitted every half minute of a test run. */
  z.strictObject({
    type: z.literal('test.progress'),
    call_id: z.string(),
    elapsed_ms: z.number(),
    /** The time at which the run is ended. */
    timeout_ms: z.number(),
  }),
  /** How many cases of a run have ended so far, as the runner reports it; only `test.finished` counts. */
  z.strictObject({
    type: z.literal('test.counts'),
    call_id: z.string(),
    done: z.number().int().nonnegative(),
    failed: z.number().int().nonnegative(),
  }),
  /** How many packages a call has fetched so far. The package manager says so; `total` is null where it is not known. */
  z.strictObject({
    type: z.literal('packages.fetched'),
    call_id: z.string(),
    done: z.number().int().nonnegative(),
    total: z.number().int().positive().nullable(),
  }),
  z.strictObject({
    type: z.literal('test.finished'),
    call_id: z.string().optional(),
    valid: z.boolean(),
    outcome: testOutcomeSchema,
    /** Why the run does not count, if so. */
    why: z.string().optional(),
    passed: z.number().int(),
    failed: z.number().int(),
    skipped: z.number().int(),
    cases: z.array(testCaseSchema).optional(),
    coverage: z.unknown().optional(),
  }),
  z.strictObject({ type: z.literal('proof.started'), observation: z.enum(OBSERVATIONS) }),
  /** Progress of the proof. Without `observation`: the number of observations, before the first of them. */
  z.strictObject({
    type: z.literal('proof.progress'),
    observation: z.enum(OBSERVATIONS).optional(),
    done: z.number().int().nonnegative(),
    total: z.number().int().nonnegative(),
  }),
  z.strictObject({
    type: z.literal('proof.finished'),
    observation: z.enum(OBSERVATIONS),
    ok,
    detail: z.string(),
    duration_ms: z.number(),
  }),
  z.strictObject({
    type: z.literal('review.requested'),
    review_id: z.string(),
    kind: z.enum(['merge', 'policy', 'plugin', 'mode']),
    risk: z.enum(['low', 'medium', 'high']),
    reasons: z.array(z.string()),
    /** The commit message under review, for kind `merge`. */
    message: z.string().optional(),
    diff: z.string(),
    /** Length of the whole diff, if `diff` is only its beginning. `review.diff` returns the rest. */
    diff_characters: z.number().int().optional(),
    sha256: z.string(),
    /** For kind `merge`: files and proof as the kernel sees them. */
    facts: cardFactsSchema.optional(),
  }),
  z.strictObject({
    type: z.literal('review.decided'),
    review_id: z.string(),
    decision: z.enum(['approved', 'rejected', 'expired']),
    by: z.enum(['policy', 'human']),
    reason: z.string().optional(),
    /** Rejected by an edit: the person's version is staged and tested, and comes back as a review. */
    edited: z.literal(true).optional(),
    /** Rejected by a request for tests: the change stays unchanged. */
    tests: z.literal(true).optional(),
    signature: z.string().optional(),
  }),
  /** The run pauses; the next message is the answer. */
  z.strictObject({ type: z.literal('question.asked'), ...questionSchema.shape }),
  z.strictObject({ type: z.literal('todo.updated'), items: z.array(todoItemSchema) }),
  z.strictObject({
    type: z.literal('context.compacted'),
    before_tokens: z.number().int(),
    after_tokens: z.number().int(),
  }),
  z.strictObject({
    type: z.literal('usage'),
    ...usageSchema.shape,
    cost_usd: z.number().optional(),
    /** How much of the model's window is used. */
    context: z.strictObject({ used_tokens: z.number().int(), window_tokens: z.number().int() }).optional(),
  }),
  z.strictObject({
    type: z.literal('notice'),
    level: z.enum(['info', 'warn']),
    what: z.string(),
    why: z.string(),
    fix: z.string(),
    code: z.string(),
  }),
  z.strictObject({
    type: z.literal('error'),
    level: z.literal('error'),
    what: z.string(),
    why: z.string(),
    fix: z.string(),
    code: z.string(),
  }),
  z.strictObject({
    type: z.literal('session.finished'),
    status: z.enum(['committed', 'done', 'failed', 'cancelled', 'waiting']),
    exit_code: z.number().int(),
    commit: z.string().optional(),
    files_changed: z.array(z.string()),
    summary: z.string(),
    duration_ms: z.number(),
    usage: usageSchema.extend({ cost_usd: z.number().optional() }),
    audit_head: z.string().nullable(),
  }),
]);

export type EventBody = z.infer<typeof eventBodySchema>;

/** `seq` starts at 1, has no gaps, and continues when a session is resumed. `ts` is milliseconds since the epoch. */
export type FluffyEvent = EventBody & { readonly session_id: string | null; readonly seq: number; readonly ts: number };

export type EventOf<T extends FluffyEvent['type']> = Extract<FluffyEvent, { type: T }>;
export type SessionFinished = Extract<EventBody, { type: 'session.finished' }>;
export type ReviewRequested = Extract<EventBody, { type: 'review.requested' }>;

export const fluffyEventSchema = z
  .looseObject({ session_id: z.string().nullable(), seq: z.number().int(), ts: z.number() })
  .transform((envelope, context) => {
    const { session_id, seq, ts, ...body } = envelope;
    const parsed = eventBodySchema.safeParse(body);
    if (!parsed.success) {
      context.addIssue({ code: 'custom', message: parsed.error.message });
      return z.NEVER;
    }
    return { ...parsed.data, session_id, seq, ts } as FluffyEvent;
  });
