import { SqliteAuditLog } from '../../src/platform/sqlite/audit-log.ts';
import { openDatabase } from '../../src/platform/sqlite/open-database.ts';
import { systemClock } from '../../src/platform/system/clock.ts';
import { auditRecord } from './audit-records.ts';

/** Makes a database whose audit log has that many records, written by the log's own code, and closes it in order. */
export function makeAuditLog(place: { readonly path: string; readonly backups: string }, records: number): void {
  const { database } = openDatabase({ ...place, clock: systemClock });
  database.connection.pragma('synchronous = OFF');
  const log = new SqliteAuditLog(database, systemClock);
  for (let index = 0; index < records; index += 1) log.buffer(auditRecord(index));
  log.flush();
  database.close();
}
