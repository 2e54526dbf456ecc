import { z } from 'zod';
import { SESSION_MODES, SESSION_STATES } from './session/workflow-states.ts';

export const AUDIT_EVENT_TYPES = [
  'syscall',
  'tool_execute',
  'tool_result',
  'state_transition',
  'policy_update',
  'session_mode_change',
  'sandbox_created',
  'sandbox_destroyed',
  'sandbox_failed',
  'network_connection',
  'capability_issued',
  'capability_expired',
  'review_requested',
  'merge_intent',
  'merge_approved',
  'merge_rejected',
  'merge_completed',
  'merge_undone',
  'kernel_start',
  'kernel_shutdown',
  'audit_chain_break',
  'audit_storage_warning',
  'audit_archive_deleted',
] as const;

/** What a caller passes to the log, which adds id, timestamp, prev_hash and hash. Texts are already sanitised. */
export const auditInputSchema = z.strictObject({
  event_type: z.enum(AUDIT_EVENT_TYPES),
  session_id: z.string().optional(),
  syscall_type: z.string().optional(),
  tool_name: z.string().optional(),
  caller: z.union([
    z.literal('kernel'),
    z.literal('user'),
    z.strictObject({ plugin: z.string(), sandbox_id: z.string().optional() }),
  ]),
  session_mode: z.enum(SESSION_MODES),
  state_machine_state: z.enum(SESSION_STATES),
  policy_decision: z.enum(['allowed', 'denied', 'review_required', 'allowed_by_token']),
  policy_rule_name: z.string().optional(),
  capability_id: z.string().optional(),
  deny_reason: z.string().optional(),
  /** At most 500 characters. */
  input_summary: z.string(),
  output_summary: z.string().optional(),
  duration_ms: z.number().optional(),
  sandbox_id: z.string().optional(),
  /** Includes `output_digest`, a keyed digest of the unsanitised output, if there is an output. */
  metadata: z.record(z.string(), z.string()).optional(),
});

export const auditEntrySchema = auditInputSchema.extend({
  /** 1, 2, 3 … */
  id: z.number().int().positive(),
  /** Milliseconds since the epoch. */
  timestamp: z.number().int(),
  prev_hash: z.string(),
  hash: z.string(),
});

export type AuditInput = z.infer<typeof auditInputSchema>;
export type AuditEntry = z.infer<typeof auditEntrySchema>;
export type AuditEventType = AuditEntry['event_type'];
