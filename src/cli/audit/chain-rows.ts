import type { Database } from 'better-sqlite3';
import type { ChainRow } from '../../kernel/audit/verify-chain.ts';

/** The log bounds every text of a record; one larger than this was not written by it. */
const MAX_BODY_BYTES = 1024 * 1024;

/** Rows of a chain in order of id, with nothing believed of them. Throws SqliteError where the file is damaged. */
export function* chainRows(connection: Database, table: 'audit' | 'transitions'): Generator<ChainRow> {
  const sql = `
    SELECT id,
           CASE WHEN typeof(body) = 'text' AND octet_length(body) <= ${MAX_BODY_BYTES} THEN body END,
           CASE WHEN typeof(hash) = 'text' AND octet_length(hash) = 64 THEN hash END
    FROM ${table} NOT INDEXED ORDER BY id`;
  const rows = connection.prepare<[], [number, string | null, string | null]>(sql).raw().iterate();
  for (const [id, body, hash] of rows) yield { id, body, hash };
}
