import type { AuditInput } from '../../contracts/audit-entry.ts';
import type { AuditSettings } from '../policy/compiled-policy.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const PERIOD_MS: Readonly<Record<AuditSettings['rotation'], number>> = {
  daily: DAY_MS,
  weekly: 7 * DAY_MS,
  monthly: 30 * DAY_MS,
};
/** These newest records stay in the database at any age: for the check at a start, and for trying a new policy. */
export const KEPT_RECORDS = 1_000;
/** Maximum held in memory at once; the rest follows later. */
const MOST_AT_ONCE = 10_000;
const WARNING_SHARE = 0.8;
const CRITICAL_SHARE = 0.95;

export interface ArchiveFacts {
  readonly from: number;
  readonly through: number;
  readonly bytes: number;
  /** Time of its newest record; null if it cannot be read. */
  readonly newestMs: number | null;
}

export interface LogFacts {
  readonly nowMs: number;
  readonly settings: AuditSettings;
  /** Records of the database: the first, the last, and the bytes of all. */
  readonly first: { readonly id: number; readonly ms: number } | null;
  readonly lastId: number;
  readonly recordBytes: number;
  /** Oldest first. */
  readonly archives: readonly ArchiveFacts[];
}

export interface RetentionPlan {
  /** Records up to this one are moved out of the database; null if none is due. */
  readonly rotateThrough: number | null;
  /** Number of archives to delete, oldest first. */
  readonly deleteOldest: number;
  /** How full the log is, if that should be reported. */
  readonly storage: 'warning' | 'critical' | null;
}

/**
 * Which rotations and deletions of the audit log are due, both by age. The size leads only to a warning: no archive is
 * deleted before its days are over. Pure.
 */
export function planRetention({ nowMs, settings, first, lastId, recordBytes, archives }: LogFacts): RetentionPlan {
  const isDue = first !== null && nowMs - first.ms >= PERIOD_MS[settings.rotation];
  const through = Math.min(lastId - KEPT_RECORDS, (first?.id ?? 0) + MOST_AT_ONCE - 1);
  const oldest = nowMs - settings.retentionDays * DAY_MS;
  const kept = archives.findIndex(({ newestMs }) => newestMs === null || newestMs >= oldest);
  const deleteOldest = kept === -1 ? archives.length : kept;
  const share = (recordBytes + sizeOf(archives.slice(deleteOldest))) / settings.maxSizeBytes;
  return {
    rotateThrough: isDue && through >= first.id ? through : null,
    deleteOldest,
    storage: share > CRITICAL_SHARE ? 'critical' : share > WARNING_SHARE ? 'warning' : null,
  };
}

function sizeOf(archives: readonly ArchiveFacts[]): number {
  return archives.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Records in the chain that its beginning was deleted, so that the remaining log does not look cut. */
export function deletionEntry(archive: { readonly from: number; readonly through: number }, head: string): AuditInput {
  return {
    ...BY_KERNEL,
    event_type: 'audit_archive_deleted',
    input_summary: `records ${archive.from} to ${archive.through}`,
    metadata: { from: String(archive.from), through: String(archive.through), head },
  };
}

export function storageEntry(level: 'warning' | 'critical', settings: AuditSettings): AuditInput {
  return {
    ...BY_KERNEL,
    event_type: 'audit_storage_warning',
    input_summary: `the audit log has used ${level === 'critical' ? '95' : '80'} per cent of ${settings.maxSizeBytes} bytes`,
    metadata: { level },
  };
}

const BY_KERNEL = {
  caller: 'kernel',
  session_mode: 'strict',
  state_machine_state: 'idle',
  policy_decision: 'allowed',
} as const;
