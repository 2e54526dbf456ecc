import type { AuditEntry, AuditInput } from '../audit-entry.ts';

/** The hash-chained log. The kernel is its only writer. */
export interface AuditLog {
  /** On disk (fdatasync) when it returns. Throws FluffyError `audit_write_failed`; then the announced effect must not happen. */
  append(entry: AuditInput): AuditEntry;
  /** For reads only: kept in memory for at most 500 ms or 100 entries; any `append` or `flush` writes them first, in order. */
  buffer(entry: AuditInput): void;
  flush(): void;
  head(): { readonly entries: number; readonly hash: string };
  /** Newest first. */
  recent(limit: number): readonly AuditEntry[];
}
