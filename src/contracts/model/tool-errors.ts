import { z } from 'zod';

/** Why red or green was not granted. */
export const EVIDENCE_REASONS = [
  'no_tests_written',
  'not_executed',
  'zero_tests_collected',
  'unexpected_green',
  'no_target_failed',
  'load_failure',
  'runner_failure',
  'invalid_report',
  'tests_failed',
  'red_case_missing',
  'red_case_failing',
  'regression',
  'tests_weakened',
  'tests_changed',
  'no_source_change',
  'not_a_deletion',
  'not_tests_alone',
  'sensitive_changed',
  'tampered',
  'flaky',
  'empty_case',
  'shadowed_module',
  'plain_run_failed',
  'timeout',
] as const;

export const TOOL_ERROR_CODES = [
  'unknown_tool',
  'invalid_input',
  'tool_unavailable',
  'policy_denied',
  'review_required',
  'path_refused',
  'not_found',
  'no_test_command',
  'conflict',
  'edit_no_match',
  'edit_ambiguous',
  'too_large',
  'timeout',
  'out_of_memory',
  'sandbox_failed',
  'cancelled',
  ...EVIDENCE_REASONS.filter((reason) => reason !== 'timeout'),
] as const;

export const evidenceReasonSchema = z.enum(EVIDENCE_REASONS);
export type EvidenceReason = z.infer<typeof evidenceReasonSchema>;

export type ToolErrorCode = (typeof TOOL_ERROR_CODES)[number];

/** A refusal or failure for the model: what happened, and what to do now. */
export interface ToolError {
  readonly code: ToolErrorCode;
  readonly message: string;
  readonly retryable: boolean;
}
