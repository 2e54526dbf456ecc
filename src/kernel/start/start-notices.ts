import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { EventBody } from '../../contracts/session/events.ts';

export type Notice = Extract<EventBody, { type: 'notice' }>;

/** Findings of a start that everybody who resumes a session must see. */
export interface StartFindings {
  /** What could be saved of a damaged database; null if it was sound. */
  readonly recovery: { readonly why: string; readonly auditEntries: number; readonly sessions: number } | null;
  /** Why the host did not sign the head of the audit log; null if it did. */
  readonly unsigned: Unsigned | null;
}

export interface Unsigned {
  readonly why: string;
  /** The log differs from the one whose heads the host signed; otherwise the host gave no answer. */
  readonly otherLog: boolean;
}

/**
 * The error if nothing is left of the log that the host signed: no session may begin on an empty database as if it were
 * new. null if work can continue. Pure.
 */
export function lostDatabase({ unsigned, sessions }: Pick<StartFindings, 'unsigned'> & { sessions: number }) {
  if (unsigned === null || !unsigned.otherLog || sessions > 0) return null;
  return new FluffyError({
    code: 'database_lost',
    what: 'The database of this project is lost, with its sessions, staged work and audit log',
    why: unsigned.why,
    fix: 'Restore fluffy.db from a copy of yours (fluffy doctor names its path), or run fluffy audit reset to start with a new one; files and commits of the project are not affected',
    exitCode: EXIT.auditBroken,
  });
}

export function startNotices({ recovery, unsigned }: StartFindings): readonly Notice[] {
  const notices: Notice[] = [];
  if (recovery !== null) {
    notices.push({
      type: 'notice',
      level: 'warn',
      what: 'The database of this project was damaged and has been restored',
      why: `${recovery.why}; ${recovery.sessions} sessions and ${recovery.auditEntries} audit records could be saved`,
      fix: 'fluffy session list and fluffy audit verify show what is missing; the damaged file is kept',
      code: 'database_restored',
    });
  }
  if (unsigned !== null) {
    notices.push({
      type: 'notice',
      level: 'warn',
      what: 'The host does not sign the audit log, so nothing can be committed',
      why: unsigned.why,
      fix: unsigned.otherLog
        ? 'Run fluffy audit verify: it says which records are lost. To continue without them, run fluffy audit reset'
        : 'Run fluffy doctor, then start the session again',
      code: 'audit_log_unsigned',
    });
  }
  return notices;
}

/** The notice about damage found while the kernel already serves requests. Pure. */
export function damageNotice(why: string): Notice {
  return {
    type: 'notice',
    level: 'warn',
    what: 'The database of this project is damaged',
    why,
    fix: 'End your sessions of this project. After the kernel has ended by itself, the next start restores what can be read and what backups have',
    code: 'database_damaged',
  };
}
