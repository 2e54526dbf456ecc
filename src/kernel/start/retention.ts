import type { AuditInput } from '../../contracts/audit-entry.ts';
import type { EventBody } from '../../contracts/session/events.ts';
import type { Clock } from '../../contracts/ports/clock.ts';
import type { SessionRow } from '../../contracts/ports/session-store.ts';
import type { AuditSettings } from '../policy/compiled-policy.ts';
import type { LogFacts } from './plan-retention.ts';
import { deletionEntry, planRetention, storageEntry } from './plan-retention.ts';

type Notice = Extract<EventBody, { type: 'notice' }>;

/** Access to the audit log's files and rows. */
export interface LogStorage {
  facts(): Omit<LogFacts, 'nowMs' | 'settings'>;
  rotate(through: number): Promise<void>;
  /** Range and newest hash of the oldest archive; null if it cannot be read. */
  oldest(): { readonly from: number; readonly through: number; readonly head: string } | null;
  deleteOldest(): void;
}

export interface RetentionServices {
  readonly clock: Clock;
  readonly isIdle: () => boolean;
  readonly settings: () => AuditSettings;
  readonly log: LogStorage;
  readonly append: (entry: AuditInput) => void;
  readonly notify: (notice: Notice) => void;
  readonly sessions: () => readonly SessionRow[];
  readonly archiveSession: (row: SessionRow) => void;
  readonly onFault: (error: unknown) => void;
}

export const LOOK_EVERY_MS = 10 * 60_000;
export const SESSION_ARCHIVED_AFTER_MS = 30 * 24 * 60 * 60 * 1000;
const OVER: ReadonlySet<SessionRow['status']> = new Set(['committed', 'done', 'failed', 'cancelled']);

/**
 * Keeps log and sessions within their limits while the kernel is idle. A failure is reported and tried again at the
 * next check.
 */
export class Retention {
  readonly #services: RetentionServices;
  #warned: 'warning' | 'critical' | null = null;

  constructor(services: RetentionServices) {
    this.#services = services;
  }

  /** Runs until the signal ends it. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#services.clock.sleep(LOOK_EVERY_MS, signal).catch(() => undefined);
      if (signal.aborted || !this.#services.isIdle()) continue;
      await this.look().catch(this.#services.onFault);
    }
  }

  async look(): Promise<void> {
    const { clock, isIdle, settings, log, sessions, archiveSession } = this.#services;
    const nowMs = clock.nowMs();
    for (const row of sessions())
      if (OVER.has(row.status) && nowMs - row.updated_ms > SESSION_ARCHIVED_AFTER_MS) archiveSession(row);
    const due = () => planRetention({ nowMs, settings: settings(), ...log.facts() });
    let plan = due();
    for (; plan.rotateThrough !== null && isIdle(); plan = due()) await log.rotate(plan.rotateThrough);
    for (let count = 0; count < plan.deleteOldest; count += 1) this.#deleteOldest();
    if (plan.storage !== null && plan.storage !== this.#warned) this.#warn(plan.storage);
    this.#warned = plan.storage;
  }

  /** Recorded before it is deleted: without the record the remaining log would look cut. */
  #deleteOldest(): void {
    const oldest = this.#services.log.oldest();
    if (oldest === null) throw new Error('the oldest archive of the audit log cannot be read, and stays');
    this.#services.append(deletionEntry(oldest, oldest.head));
    this.#services.log.deleteOldest();
  }

  #warn(level: 'warning' | 'critical'): void {
    const { append, notify, settings } = this.#services;
    append(storageEntry(level, settings()));
    notify({
      type: 'notice',
      level: 'warn',
      what: `The audit log has used ${level === 'critical' ? '95' : '80'} per cent of its space`,
      why: `audit.max_size of the policy is ${settings().maxSizeBytes} bytes; archives are still kept for ${settings().retentionDays} days`,
      fix: 'Keep a copy with fluffy audit export, then lower audit.retention_days, or raise audit.max_size',
      code: 'audit_storage',
    });
  }
}
