import type { AuditInput } from '../../src/contracts/audit-entry.ts';

/** Records as a session makes them, in their usual mix: decided, begun, ended. */
export function auditRecord(index: number): AuditInput {
  const path = `packages/p${index % 17}/src/module-${index % 101}.ts`;
  const call = `call_${String(index).padStart(8, '0')}`;
  const common = {
    session_id: 's_0123456789abcdef0123',
    caller: 'kernel',
    session_mode: 'strict',
    state_machine_state: 'code_writing',
    policy_decision: 'allowed',
  } as const;
  switch (index % 3) {
    case 0:
      return {
        ...common,
        event_type: 'syscall',
        syscall_type: 'fs.write',
        tool_name: 'fs.write',
        policy_rule_name: 'write-source-in-code-writing',
        input_summary: path,
        metadata: { call_id: call, targets: JSON.stringify([path]) },
      };
    case 1:
      return {
        ...common,
        event_type: 'tool_execute',
        syscall_type: 'fs.write',
        tool_name: 'fs.write',
        input_summary: path,
        metadata: { call_id: call },
      };
    default:
      return {
        ...common,
        event_type: 'tool_result',
        tool_name: 'fs.write',
        input_summary: '',
        output_summary: `Modified ${path}, +12 -3`,
        duration_ms: 17,
        sandbox_id: 'x_0123456789ab',
        metadata: { call_id: call, ok: 'true', output_digest: 'c0ffee'.repeat(10).padEnd(64, '0') },
      };
  }
}
