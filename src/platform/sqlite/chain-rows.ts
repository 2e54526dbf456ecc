import type { Database, Statement } from 'better-sqlite3';

/** A row as found, unverified. `body` and `hash` are null if they are not text of a record's size. */
export interface FoundRow {
  readonly id: number;
  readonly body: string | null;
  readonly hash: string | null;
}

/** The log limits every text of a record; a larger record was not written by it. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Number of rows read from SQLite at once, which is faster than one by one; at the maximum size of a record they are 64
 * MiB.
 */
const BATCH_ROWS = 64;
const SMALLEST_ID = -(2n ** 63n);
const NO_LIMIT = -1;

type RawRow = [id: number, body: string | null, hash: string | null];
type Rows = Statement<[from: number | bigint, limit: number], RawRow>;

/**
 * Rows of a chain in order of id, unverified; from `fromId` on if it is given. Throws SqliteError if the file is
 * damaged, after all rows before the damage.
 */
export function* chainRows(connection: Database, table: 'audit' | 'transitions', fromId?: number): Generator<FoundRow> {
  const rows = prepareRows(connection, table);
  let from: number | bigint = fromId ?? SMALLEST_ID;
  for (;;) {
    const batch = readBatch(rows, from);
    for (const [id, body, hash] of batch ?? rows.iterate(from, NO_LIMIT)) yield { id, body, hash };
    const last = batch?.at(-1);
    if (last === undefined || batch?.length !== BATCH_ROWS) return;
    from = last[0] + 1;
  }
}

/**
 * Reads a part of a chain: at most `limit` rows starting at an id. For a log that is checked in parts while others
 * write.
 */
export function chainSlice(
  connection: Database,
  table: 'audit' | 'transitions',
): (fromId: number, limit: number) => readonly FoundRow[] {
  const rows = prepareRows(connection, table);
  return (fromId, limit) => rows.all(fromId, limit).map(([id, body, hash]) => ({ id, body, hash }));
}

function prepareRows(connection: Database, table: 'audit' | 'transitions'): Rows {
  const sql = `
    SELECT id,
           CASE WHEN typeof(body) = 'text' AND octet_length(body) <= ${MAX_BODY_BYTES} THEN body END,
           CASE WHEN typeof(hash) = 'text' AND octet_length(hash) = 64 THEN hash END
    FROM ${table} NOT INDEXED WHERE id >= ? ORDER BY id LIMIT ?`;
  return connection.prepare<[number | bigint, number], RawRow>(sql).raw();
}

/**
 * The next rows; null if they have to be read one by one, because one is damaged or has an id that a number can't hold
 * exactly.
 */
function readBatch(rows: Rows, from: number | bigint): RawRow[] | null {
  try {
    const batch = rows.all(from, BATCH_ROWS);
    const exact = [batch[0], batch.at(-1)].every((row) => row === undefined || Number.isSafeInteger(row[0]));
    return exact ? batch : null;
  } catch {
    return null;
  }
}

/** The last record of a chain, whatever comes before it; null if there is none. Throws SqliteError. */
export function lastRow(connection: Database, table: 'audit' | 'transitions'): FoundRow | null {
  const last = connection.prepare<[], number>(`SELECT max(id) FROM ${table}`).pluck().get() ?? null;
  return last === null ? null : (chainSlice(connection, table)(last, 1)[0] ?? null);
}

/** The last id of a chain, which is the number of its records if none is missing. */
export function chainLength(connection: Database, table: 'audit' | 'transitions'): number {
  return Number(connection.prepare(`SELECT coalesce(max(id), 0) FROM ${table}`).pluck().get());
}
