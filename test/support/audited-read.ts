import type { AuditEntry } from '../../src/contracts/audit-entry.ts';

/** The record of a read that was allowed. */
export function auditedRead(path: string, id = 1): AuditEntry {
  return {
    id,
    timestamp: 0,
    prev_hash: '',
    hash: '',
    event_type: 'syscall',
    syscall_type: 'fs.read',
    caller: 'kernel',
    session_mode: 'strict',
    state_machine_state: 'planning',
    policy_decision: 'allowed',
    input_summary: '',
    metadata: { targets: JSON.stringify([path]) },
  };
}
