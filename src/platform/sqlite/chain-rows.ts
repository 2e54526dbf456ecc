import type { Database } from 'better-sqlite3';

/** A row as found, with nothing believed of it. `body` and `hash` are null when they are no text of a record's size. */
export interface FoundRow {
  readonly id: number;
  readonly body: string | null;
  readonly hash: string | null;
}

/** The log bounds every text of a record; one larger than this was not written by it. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Rows of a chain in order of id, with nothing believed of them. Throws SqliteError where the file is damaged. */
export function* chainRows(connection: Database, table: 'audit' | 'transitions'): Generator<FoundRow> {
  const sql = `
    SELECT id,
           CASE WHEN typeof(body) = 'text' AND octet_length(body) <= ${MAX_BODY_BYTES} THEN body END,
           CASE WHEN typeof(hash) = 'text' AND octet_length(hash) = 64 THEN hash END
    FROM ${table} NOT INDEXED ORDER BY id`;
  const rows = connection.prepare<[], [number, string | null, string | null]>(sql).raw().iterate();
  for (const [id, body, hash] of rows) yield { id, body, hash };
}
