import type { AuditInput } from '../../contracts/audit-entry.ts';
import type { KernelOptions } from '../../contracts/kernel-options.ts';
import type { AuditLog } from '../../contracts/ports/audit-log.ts';
import type { SandboxConnections, SandboxLifecycle, SandboxServices } from '../sandbox/index.ts';

/** Fields of every record that belongs to no call of a session. */
const OF_NO_CALL = {
  caller: 'kernel',
  session_mode: 'strict',
  state_machine_state: 'idle',
  policy_decision: 'allowed',
} as const;

/** Records that belong to no call of a session: start and end of the kernel and of its sandboxes. */
export function kernelEntry(
  type: 'kernel_start' | 'kernel_shutdown',
  summary: string,
  metadata?: Readonly<Record<string, string>>,
): AuditInput {
  return {
    event_type: type,
    ...OF_NO_CALL,
    input_summary: summary,
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** The user's image in which the project's code runs, for the record of a start. */
export function projectImage({ project_image: image }: Pick<KernelOptions, 'project_image'>): Record<string, string> {
  return image === undefined ? {} : { image: `${image.reference} ${image.id}` };
}

/**
 * A broken chain is recorded and does not stop the kernel from starting. The log continues and says from where it
 * cannot be trusted.
 */
export function chainBreakEntry(table: string, fault: { readonly id: number; readonly reason: string }): AuditInput {
  return {
    event_type: 'audit_chain_break',
    ...OF_NO_CALL,
    input_summary: `${table}, record ${fault.id}: ${fault.reason}`.slice(0, 500),
  };
}

/** For damaged rows that belong to no chain: sessions and their content. */
export function databaseDamageEntry(why: string): AuditInput {
  return {
    event_type: 'audit_chain_break',
    ...OF_NO_CALL,
    input_summary: `the database is damaged: ${why}`.slice(0, 500),
  };
}

/** Writes the lifecycle and connections of sandboxes to the audit log. */
export function sandboxRecords(
  audit: Pick<AuditLog, 'append'>,
): Required<Pick<SandboxServices, 'onLifecycle' | 'onConnections'>> {
  return {
    onLifecycle: (event) => void audit.append(lifecycleEntry(event)),
    onConnections: (event) => {
      for (const entry of connectionEntries(event)) audit.append(entry);
    },
  };
}

/** Connections that a test run requested from the egress gate, each kind once. */
function connectionEntries({ sandbox, session, attempts }: SandboxConnections): AuditInput[] {
  return attempts.map(({ target, outcome, reason, count }) => ({
    ...OF_NO_CALL,
    event_type: 'network_connection',
    session_id: session,
    sandbox_id: sandbox,
    tool_name: 'test.run',
    policy_decision: outcome === 'refused' ? 'denied' : 'allowed',
    input_summary: (count === 1 ? target : `${target} (${count} times)`).slice(0, 500),
    output_summary: (reason === undefined ? outcome : `${outcome}: ${reason}`).slice(0, 500),
  }));
}

function lifecycleEntry(event: SandboxLifecycle): AuditInput {
  const base = {
    session_id: event.session,
    ...OF_NO_CALL,
    input_summary: `${event.program} ${event.template}`,
    sandbox_id: event.sandbox,
  };
  switch (event.kind) {
    case 'created':
      return { ...base, event_type: 'sandbox_created', duration_ms: Math.round(event.tookMs) };
    case 'failed':
      return {
        ...base,
        event_type: 'sandbox_failed',
        duration_ms: Math.round(event.afterMs),
        output_summary: event.reason.slice(0, 500),
      };
    case 'destroyed':
      return {
        ...base,
        event_type: 'sandbox_destroyed',
        duration_ms: Math.round(event.livedMs),
        ...(event.leftovers.length === 0
          ? {}
          : { output_summary: `left behind: ${event.leftovers.join('; ')}`.slice(0, 500) }),
      };
  }
}
