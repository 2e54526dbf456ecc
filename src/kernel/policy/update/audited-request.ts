import { z } from 'zod';
import type { AuditEntry } from '../../../contracts/audit-entry.ts';
import { CORE_TAGS } from '../../../contracts/policy.ts';
import type { PolicyRequest } from '../../../contracts/policy.ts';

const targetsSchema = z.array(z.string());

/**
 * The requests behind an audited call: one for each path it named. Records name their paths in `metadata.targets` (a JSON array); older ones
 * only in `input_summary`, which tells a single path without a space. Nothing for records that are no calls, or that can't be read back, nor for the
 * use of a capability, whose call has a record of its own.
 */
export function auditedRequests(entry: AuditEntry): readonly PolicyRequest[] {
  if (entry.event_type !== 'syscall' || entry.syscall_type === undefined) return [];
  if (entry.policy_decision === 'allowed_by_token') return [];
  const base = {
    syscall: entry.syscall_type,
    state: entry.state_machine_state,
    mode: entry.session_mode,
    tags: CORE_TAGS,
    ...(typeof entry.caller === 'object' ? { plugin: entry.caller.plugin } : {}),
  };
  const paths = targetsOf(entry);
  return paths.length === 0 ? [base] : paths.map((path) => ({ ...base, path }));
}

function targetsOf(entry: AuditEntry): readonly string[] {
  const recorded = entry.metadata?.['targets'];
  if (recorded === undefined) return /^\S+$/.test(entry.input_summary) ? [entry.input_summary] : [];
  try {
    return targetsSchema.parse(JSON.parse(recorded));
  } catch {
    return [];
  }
}
