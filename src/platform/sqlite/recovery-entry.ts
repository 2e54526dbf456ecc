import { basename } from 'node:path';
import type { AuditInput } from '../../contracts/audit-entry.ts';
import type { Recovery } from './recover-database.ts';

/** The record of a recovery, to be appended before anything else happens. It names no directory. */
export function recoveryEntry(recovery: Recovery): AuditInput {
  const { why, auditEntries, sessions, fromBackups, keptAs } = recovery;
  return {
    event_type: 'audit_chain_break',
    caller: 'kernel',
    session_mode: 'strict',
    state_machine_state: 'idle',
    policy_decision: 'allowed',
    input_summary: `the database was damaged (${why})`,
    output_summary: `${auditEntries} audit records and ${sessions} sessions were saved, ${fromBackups} rows of them from snapshots`,
    metadata: { kept_as: keptAs === null ? 'nothing' : basename(keptAs) },
  };
}
