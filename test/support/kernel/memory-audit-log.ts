import type { AuditEntry, AuditInput } from '../../../src/contracts/audit-entry.ts';
import { FluffyError } from '../../../src/contracts/fluffy-error.ts';
import type { AuditLog } from '../../../src/contracts/ports/audit-log.ts';

/**
 * An audit log in memory. `durable` are the records that are on disk, `buffered` those that still wait; `failing` breaks every append,
 * `failAfter` those behind that many durable records.
 */
export class MemoryAuditLog implements AuditLog {
  readonly durable: AuditInput[] = [];
  buffered: AuditInput[] = [];
  failing = false;
  failAfter = Infinity;

  /** All records in their order, on disk or not. */
  get records(): readonly AuditInput[] {
    return [...this.durable, ...this.buffered];
  }

  append(entry: AuditInput): AuditEntry {
    if (this.failing || this.durable.length + this.buffered.length >= this.failAfter) {
      throw new FluffyError({
        code: 'audit_write_failed',
        what: 'The audit log cannot be written',
        why: 'the test says so',
        fix: 'Nothing',
        exitCode: 1,
      });
    }
    this.flush();
    this.durable.push(entry);
    return { ...entry, id: this.durable.length, timestamp: 0, prev_hash: '', hash: '' };
  }

  buffer(entry: AuditInput): void {
    this.buffered.push(entry);
  }

  flush(): void {
    this.durable.push(...this.buffered);
    this.buffered = [];
  }

  head(): { readonly entries: number; readonly hash: string } {
    return { entries: this.durable.length, hash: String(this.durable.length) };
  }

  recent(limit: number): readonly AuditEntry[] {
    const entries = this.durable.map((entry, index) => ({
      ...entry,
      id: index + 1,
      timestamp: 0,
      prev_hash: '',
      hash: '',
    }));
    return entries.reverse().slice(0, limit);
  }
}
