import type { EventBody } from '../../contracts/events.ts';

export type Notice = Extract<EventBody, { type: 'notice' }>;

/** What a start found, and everybody who takes up a session has to know. */
export interface StartFindings {
  /** What could be saved of a damaged database; null for a sound one. */
  readonly recovery: { readonly why: string; readonly auditEntries: number; readonly sessions: number } | null;
  /** Why the host did not sign the head of the audit log; null if it did. */
  readonly unsigned: string | null;
}

/** Pure. */
export function startNotices({ recovery, unsigned }: StartFindings): readonly Notice[] {
  const notices: Notice[] = [];
  if (recovery !== null) {
    notices.push({
      type: 'notice',
      level: 'warn',
      what: 'The database of this project was damaged and has been restored',
      why: `${recovery.why}; ${recovery.sessions} sessions and ${recovery.auditEntries} audit records could be saved`,
      fix: 'Look at fluffy session list and fluffy audit verify for what is missing; the damaged file is kept',
      code: 'database_restored',
    });
  }
  if (unsigned !== null) {
    notices.push({
      type: 'notice',
      level: 'warn',
      what: 'The host does not sign the audit log, so nothing can be committed',
      why: unsigned,
      fix: 'Run fluffy audit verify: it says which records are lost',
      code: 'audit_log_unsigned',
    });
  }
  return notices;
}
