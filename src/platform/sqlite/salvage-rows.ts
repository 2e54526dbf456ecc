import Database from 'better-sqlite3';
import { SPLIT_SNAPSHOTS } from './schema.ts';
import type { TableName } from './schema.ts';
import { sqliteCode } from './sqlite-failure.ts';

/**
 * Columns of each table. The rows of a chain are independent of each other, so two damaged copies complement each
 * other. What belongs to a session is taken only together with its session, because messages of an older copy may have
 * been replaced since.
 */
const COLUMNS: Readonly<Record<TableName, readonly string[]>> = {
  audit: ['id', 'body', 'hash'],
  transitions: ['id', 'body', 'hash'],
  operations: ['id', 'kind', 'detail', 'last_step', 'status', 'created_ms', 'updated_ms'],
  sessions: ['id', 'title', 'created_ms', 'updated_ms', 'state', 'mode', 'status', 'commits', 'snapshot'],
  session_facts: ['session_id', 'name', 'body'],
  messages: ['session_id', 'position', 'body'],
  events: ['session_id', 'seq', 'body'],
  outputs: ['session_id', 'reference', 'body'],
};

type Row = Readonly<Record<string, unknown>> & { readonly salvage_rowid: number };

/**
 * Copies every readable row that `target` lacks into it, and returns their number. Never throws for faults of
 * `sourcePath`, only if `target` can't be written.
 */
export function salvageRows(sourcePath: string, target: Database.Database): number {
  let source: Database.Database;
  try {
    source = new Database(sourcePath, { fileMustExist: true });
    source.pragma('trusted_schema = OFF');
    source.pragma('cell_size_check = ON');
  } catch {
    return 0;
  }
  try {
    const hadSessions = new Set(target.prepare<[], string>('SELECT id FROM sessions').pluck().all());
    const isNew = (row: Row): boolean => !hadSessions.has(String(row['session_id']));
    const copied =
      copyTable(source, target, 'audit', () => true) +
      copyTable(source, target, 'transitions', () => true) +
      copyTable(source, target, 'operations', () => true) +
      copyTable(source, target, 'sessions', () => true) +
      copyTable(source, target, 'session_facts', isNew) +
      copyTable(source, target, 'messages', isNew) +
      copyTable(source, target, 'events', isNew) +
      copyTable(source, target, 'outputs', isNew);
    // The source may have the older schema without rows for facts.
    target.exec(SPLIT_SNAPSHOTS);
    return copied;
  } finally {
    source.close();
  }
}

function copyTable(
  source: Database.Database,
  target: Database.Database,
  table: TableName,
  wanted: (row: Row) => boolean,
): number {
  const columns = COLUMNS[table];
  const places = columns.map(() => '?').join(', ');
  const insert = target.prepare(`INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${places})`);
  let copied = 0;
  const copy = (row: Row): void => {
    if (!wanted(row)) return;
    try {
      copied += insert.run(...columns.map((column) => row[column])).changes;
    } catch (error) {
      // A row whose values do not fit their columns is part of the damage.
      if (!/^SQLITE_(CONSTRAINT|MISMATCH)/.test(sqliteCode(error) ?? '')) throw error;
    }
  };
  target
    .transaction(() => {
      const last = readUntilDamage(source, table, 'ASC', null, copy);
      if (last.damaged) readUntilDamage(source, table, 'DESC', last.rowid, copy);
    })
    .immediate();
  return copied;
}

/**
 * Reads in one direction until the end, a damaged page, or `stopAt`. Read from both ends, that gives everything outside
 * the damaged part. Only reading may fail here: an exception of `take` (a full disk) is no damage and is passed on.
 */
function readUntilDamage(
  source: Database.Database,
  table: TableName,
  direction: 'ASC' | 'DESC',
  stopAt: number | null,
  take: (row: Row) => void,
): { readonly damaged: boolean; readonly rowid: number | null } {
  let rowid: number | null = null;
  let rows: IterableIterator<Row>;
  try {
    const sql = `SELECT rowid AS salvage_rowid, * FROM ${table} NOT INDEXED ORDER BY rowid ${direction}`;
    rows = source.prepare<[], Row>(sql).iterate();
  } catch {
    return { damaged: true, rowid };
  }
  try {
    for (;;) {
      const next = nextOrDamage(rows);
      if (next === 'damaged') return { damaged: true, rowid };
      if (next === 'end' || (stopAt !== null && next.salvage_rowid <= stopAt)) return { damaged: false, rowid };
      const forward = rowid === null || (direction === 'ASC') === next.salvage_rowid > rowid;
      // A damaged tree may contain a cycle.
      if (!forward || next.salvage_rowid === rowid) return { damaged: true, rowid };
      rowid = next.salvage_rowid;
      take(next);
    }
  } finally {
    rows.return?.();
  }
}

function nextOrDamage(rows: IterableIterator<Row>): Row | 'damaged' | 'end' {
  try {
    const next = rows.next();
    return next.done === true ? 'end' : next.value;
  } catch {
    return 'damaged';
  }
}
