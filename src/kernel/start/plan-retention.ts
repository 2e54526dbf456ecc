import type { AuditInput } from '../../contracts/audit-entry.ts';
import type { AuditSettings } from '../policy/compiled-policy.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const PERIOD_MS: Readonly<Record<AuditSettings['rotation'], number>> = {
  daily: DAY_MS,
  weekly: 7 * DAY_MS,
  monthly: 30 * DAY_MS,
};
/** Stay in the database whatever their age: for the check at a start, and for what a new policy is tried on. */
export const KEPT_RECORDS = 1_000;
/** What is held in memory at once; the rest follows. */
const MOST_AT_ONCE = 10_000;
const WARNING_SHARE = 0.8;
const CRITICAL_SHARE = 0.95;

export interface ArchiveFacts {
  readonly from: number;
  readonly through: number;
  readonly bytes: number;
  /** Of its newest record; null where it cannot be read. */
  readonly newestMs: number | null;
}

export interface LogFacts {
  readonly nowMs: number;
  readonly settings: AuditSettings;
  /** Records of the database: the first, the last, and how many bytes all of them have. */
  readonly first: { readonly id: number; readonly ms: number } | null;
  readonly lastId: number;
  readonly recordBytes: number;
  /** Oldest first. */
  readonly archives: readonly ArchiveFacts[];
}

export interface RetentionPlan {
  /** Records up to this one leave the database; null where none is due. */
  readonly rotateThrough: number | null;
  /** How many archives go, the oldest first. */
  readonly deleteOldest: number;
  /** How full the log is, where that is worth a word. */
  readonly storage: 'warning' | 'critical' | null;
}

/** What is due of the audit log: rotation and deletion, both by age. The size is worth a word alone: no archive goes before its days are over. Pure. */
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

/** Says in the chain itself that its beginning is gone, so that a log without it does not look cut. */
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
