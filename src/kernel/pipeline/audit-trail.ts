import type { AuditEventType, AuditInput } from '../../contracts/audit-entry.ts';
import { summarise } from '../audit/summarise.ts';
import { redactSecrets } from '../tool-router/sanitise.ts';
import type { Session } from '../session/session.ts';
import type { World } from './world.ts';

type Details = Partial<Omit<AuditInput, 'event_type' | 'session_id' | 'session_mode' | 'state_machine_state'>>;

/** One record about a session: texts, which a model or a file may have had a hand in, are cleaned of keys and cut. */
export function auditInput(world: World, session: Session, type: AuditEventType, details: Details): AuditInput {
  const { input_summary, output_summary, deny_reason, ...rest } = details;
  const clean = (text: string) =>
    summarise(text, (original) => redactSecrets(original, world.policy().sanitizer.patterns).text);
  return {
    event_type: type,
    session_id: session.id,
    caller: 'kernel',
    session_mode: session.mode,
    state_machine_state: session.state,
    policy_decision: 'allowed',
    input_summary: clean(input_summary ?? ''),
    ...(output_summary === undefined ? {} : { output_summary: clean(output_summary) }),
    ...(deny_reason === undefined ? {} : { deny_reason: clean(deny_reason) }),
    ...rest,
  };
}

/** Durable before it returns: for whatever precedes or follows an effect. */
export function record(world: World, session: Session, type: AuditEventType, details: Details): void {
  world.audit.append(auditInput(world, session, type, details));
}

/** For reads, which have no effect. */
export function recordRead(world: World, session: Session, type: AuditEventType, details: Details): void {
  world.audit.buffer(auditInput(world, session, type, details));
}
