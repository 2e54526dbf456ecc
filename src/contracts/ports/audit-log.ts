import type { AuditEntry, AuditInput } from '../audit-entry.ts';

/** The hash-chained log. One writer: the kernel. */
export interface AuditLog {
  /** On disk (fdatasync) when it returns. Throws FluffyError `audit_write_failed`; then the effect it announces must not happen. */
  append(entry: AuditInput): AuditEntry;
  /** For reads only: kept in memory at most 500 ms or 100 entries; any `append` and `flush` write it first, in order. */
  buffer(entry: AuditInput): void;
  flush(): void;
  head(): { readonly entries: number; readonly hash: string };
  /** Newest first. */
  recent(limit: number): readonly AuditEntry[];
}
