import type { AuditEventType, AuditInput } from '../../contracts/audit-entry.ts';
import type { Session } from '../session/session.ts';
import type { World } from './world.ts';

type Details = Partial<Omit<AuditInput, 'event_type' | 'session_id' | 'session_mode' | 'state_machine_state'>>;

const SUMMARY_CHARACTERS = 500;

/** One record about a session. Texts are sanitised by the caller; they are cut here. */
export function auditInput(session: Session, type: AuditEventType, details: Details): AuditInput {
  const { input_summary, output_summary, ...rest } = details;
  return {
    event_type: type,
    session_id: session.id,
    caller: 'kernel',
    session_mode: session.mode,
    state_machine_state: session.state,
    policy_decision: 'allowed',
    input_summary: (input_summary ?? '').slice(0, SUMMARY_CHARACTERS),
    ...(output_summary === undefined ? {} : { output_summary: output_summary.slice(0, SUMMARY_CHARACTERS) }),
    ...rest,
  };
}

/** Durable before it returns: for whatever precedes or follows an effect. */
export function record(world: World, session: Session, type: AuditEventType, details: Details): void {
  world.audit.append(auditInput(session, type, details));
}

/** For reads, which have no effect. */
export function recordRead(world: World, session: Session, type: AuditEventType, details: Details): void {
  world.audit.buffer(auditInput(session, type, details));
}
