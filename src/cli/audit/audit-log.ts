import { auditEntrySchema } from '../../contracts/audit-entry.ts';
import type { AuditEntry } from '../../contracts/audit-entry.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { formatEntry } from '../../lib/audit/format-entry.ts';
import { escapeJsonForTerminal } from '../../lib/text/escape-terminal.ts';
import type { SnapshotOptions } from '../../platform/sqlite/open-snapshot.ts';
import { openSnapshot } from '../../platform/sqlite/open-snapshot.ts';
import { allRecords } from '../../platform/sqlite/audit-archive.ts';

export interface AuditLogOptions {
  readonly databasePath: string;
  /** Directory of records that were moved out of the database. */
  readonly archives?: string;
  /** One JSON record per line, instead of text. */
  readonly json: boolean;
  /** Gets each line without its newline; the next line waits for it. */
  readonly write: (line: string) => void | Promise<void>;
  /** Only records of that session. */
  readonly sessionId?: string;
  /** Maximum number of records; the newest are kept. */
  readonly limit?: number;
  readonly snapshot?: SnapshotOptions;
}

/**
 * Prints the log, oldest record first; nothing if there is no log. It does not verify the records: `verifyAudit` does. Throws FluffyError
 * `audit_unreadable` at the first row that is not a record, even if the reader has ended; else what `write` threw.
 */
export async function auditLog(options: AuditLogOptions): Promise<void> {
  const snapshot = openSnapshot(options.databasePath, options.snapshot);
  if (snapshot.kind === 'missing') return;
  if (snapshot.kind === 'unusable') throw unreadable(1, snapshot.reason);
  let shown = 0;
  const newest: AuditEntry[] = [];
  const lost: FluffyError[] = [];
  const show = async (entry: AuditEntry): Promise<void> => {
    if (lost.length > 0) return;
    try {
      await options.write(options.json ? escapeJsonForTerminal(JSON.stringify(entry)) : formatEntry(entry));
    } catch (error) {
      if (!(error instanceof FluffyError)) throw error;
      lost.push(error);
    }
  };
  try {
    for (const { body, hash } of allRecords(snapshot.connection, options.archives)) {
      const entry = parseEntry(body, hash);
      if (entry === null) throw unreadable(shown + 1, 'it is not in the form of a record');
      shown += 1;
      if (options.sessionId !== undefined && entry.session_id !== options.sessionId) continue;
      if (options.limit === undefined) await show(entry);
      else {
        newest.push(entry);
        if (newest.length > options.limit) newest.shift();
      }
    }
    for (const entry of newest) await show(entry);
    const [loss] = lost;
    if (loss !== undefined) throw loss;
  } catch (error) {
    throw error instanceof FluffyError ? error : unreadable(shown + 1, String(error));
  } finally {
    snapshot.close();
  }
}

function parseEntry(body: string | null, hash: string | null): AuditEntry | null {
  if (body === null || hash === null) return null;
  try {
    const fields: unknown = JSON.parse(body);
    const parsed = auditEntrySchema.safeParse(typeof fields === 'object' ? { ...fields, hash } : null);
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

function unreadable(id: number, why: string): FluffyError {
  return new FluffyError({
    code: 'audit_unreadable',
    what: `Record ${id} of the audit log cannot be shown`,
    why,
    fix: 'Run `fluffy audit verify` to see how far the log can be trusted',
    exitCode: EXIT.auditBroken,
  });
}
