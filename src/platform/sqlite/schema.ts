import BetterSqlite from 'better-sqlite3';
import type { Database } from 'better-sqlite3';

/** Marks a database file as fluffy's ("flfy"). */
export const APPLICATION_ID = 0x666c6679;

/**
 * Moves the large facts of a session, which schema 1 kept inside the snapshot, to rows of their own. Does nothing if
 * that was already done, so it can also run for sessions salvaged from an older copy. A snapshot that is not JSON stays
 * unchanged; reading it stops its session.
 */
export const SPLIT_SNAPSHOTS = `
  INSERT OR IGNORE INTO session_facts (session_id, name, body)
    SELECT sessions.id, part.key, part.value
    FROM sessions, json_each(CASE WHEN json_valid(sessions.snapshot) THEN sessions.snapshot ELSE '{}' END) AS part
    WHERE part.key IN ('baseline', 'red', 'green', 'prepared', 'review') AND part.type = 'object';
  UPDATE sessions
    SET snapshot = json_remove(snapshot, '$.baseline', '$.red', '$.green', '$.prepared', '$.review')
    WHERE json_valid(snapshot);
`;

/**
 * Each one raises the schema by one version; the number of applied ones is the file's `user_version`. Never edit one:
 * add another.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE audit (id INTEGER PRIMARY KEY, body TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
  CREATE TABLE transitions (id INTEGER PRIMARY KEY, body TEXT NOT NULL, hash TEXT NOT NULL) STRICT;
  CREATE TABLE sessions (
    ordinal INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL,
    state TEXT NOT NULL,
    mode TEXT NOT NULL,
    status TEXT NOT NULL,
    commits TEXT NOT NULL,
    snapshot TEXT NOT NULL
  ) STRICT;
  CREATE TABLE messages (
    ordinal INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (session_id, position)
  ) STRICT;
  CREATE TABLE events (
    ordinal INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (session_id, seq)
  ) STRICT;
  CREATE TABLE operations (
    ordinal INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    detail TEXT NOT NULL,
    last_step INTEGER NOT NULL,
    status TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL
  ) STRICT;
  `,
  `
  CREATE TABLE session_facts (
    ordinal INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (session_id, name)
  ) STRICT;
  ${SPLIT_SNAPSHOTS}
  `,
  `
  CREATE TABLE outputs (
    ordinal INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL,
    reference TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (session_id, reference)
  ) STRICT;
  `,
];

export const SCHEMA_VERSION = MIGRATIONS.length;

export type TableName =
  'audit' | 'transitions' | 'sessions' | 'session_facts' | 'messages' | 'events' | 'operations' | 'outputs';

/** Migrates a database to a schema version, the newest by default; each version in a transaction of its own. */
export function migrate(database: Database, to: number = SCHEMA_VERSION): void {
  for (let version = schemaVersionOf(database); version < to; version += 1) {
    const migration = MIGRATIONS[version] ?? '';
    database
      .transaction(() => {
        database.exec(migration);
        database.pragma(`application_id = ${APPLICATION_ID}`);
        database.pragma(`user_version = ${version + 1}`);
      })
      .immediate();
  }
}

export function schemaVersionOf(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}

/** Every table, index, view and trigger as SQL, sorted: two databases of one version give exactly the same text. */
export function describeSchema(database: Database): string {
  const rows = database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema LIMIT 200').raw().all();
  return rows
    .map((row) => JSON.stringify(row))
    .sort()
    .join('\n');
}

/** The result of `describeSchema` for a database of that version. */
export function expectedSchema(version: number = SCHEMA_VERSION): string {
  const fresh = new BetterSqlite(':memory:');
  try {
    migrate(fresh, version);
    return describeSchema(fresh);
  } finally {
    fresh.close();
  }
}
