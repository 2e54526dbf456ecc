import type { AuditEventType, AuditInput } from '../../contracts/audit-entry.ts';
import { summarise } from '../audit/summarise.ts';
import { redactSecrets } from '../../lib/secrets/redact-secrets.ts';
import type { Session } from '../session/session.ts';
import type { Services } from '../services.ts';

type Details = Partial<Omit<AuditInput, 'event_type' | 'session_id' | 'session_mode' | 'state_machine_state'>>;

/**
 * One record about a session. Its texts may come from a model or a file, so secrets are removed and the texts are cut.
 */
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

/** Writes a record that is on disk when this returns. For what precedes or follows an effect. */
export function record(services: Services, session: Session, type: AuditEventType, details: Details): void {
  services.audit.append(auditInput(services, session, type, details));
}

/** Writes a record that may reach the disk later. For reads, which have no effect. */
export function recordRead(services: Services, session: Session, type: AuditEventType, details: Details): void {
  services.audit.buffer(auditInput(services, session, type, details));
}
