import type { AuditEventType, AuditInput } from '../../contracts/audit-entry.ts';
import type { EventBody } from '../../contracts/events.ts';
import { toolNamed } from '../../contracts/tools.ts';
import { summarise } from '../audit/summarise.ts';
import { redactSecrets } from './sanitise.ts';
import type { Session } from '../session/session.ts';
import type { Services } from '../services.ts';

type Details = Partial<Omit<AuditInput, 'event_type' | 'session_id' | 'session_mode' | 'state_machine_state'>>;

/** One record about a session: texts, which a model or a file may have had a hand in, are cleaned of keys and cut. */
export function auditInput(services: Services, session: Session, type: AuditEventType, details: Details): AuditInput {
  const { input_summary, output_summary, deny_reason, ...rest } = details;
  const clean = (text: string) =>
    summarise(text, (original) => redactSecrets(original, services.policy().sanitizer.patterns).text);
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
export function record(services: Services, session: Session, type: AuditEventType, details: Details): void {
  services.audit.append(auditInput(services, session, type, details));
}

/** Whether a tool of that name only reads. What is recorded and told of one need not be on disk before anything else happens. */
export function isRead(tool: string): boolean {
  return toolNamed(tool)?.effect === 'read';
}

type CallEvent = Extract<EventBody, { type: 'tool.started' | 'policy.decision' | 'tool.finished' }>;

/** Tells of a call of that tool: durable first, unless it only reads. */
export function tellOfCall(session: Session, tool: string, event: CallEvent): void {
  if (isRead(tool)) session.stream(event);
  else session.emit(event);
}

/** For reads, which have no effect. */
export function recordRead(services: Services, session: Session, type: AuditEventType, details: Details): void {
  services.audit.buffer(auditInput(services, session, type, details));
}
