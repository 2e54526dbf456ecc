import type { Database } from 'better-sqlite3';
import { z } from 'zod';
import { EXIT } from '../../contracts/exit-codes.ts';
import type { FluffyEvent } from '../../contracts/session/events.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { ModelMessage } from '../../contracts/model/model.ts';
import { forkedFromSchema } from '../../contracts/session/session-snapshot.ts';
import type { ForkedFrom } from '../../contracts/session/session-snapshot.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { SESSION_STATUSES } from '../../contracts/session/session-status.ts';
import { SESSION_MODES } from '../../contracts/session/workflow-states.ts';
import type { SessionRow } from '../../contracts/ports/session-store.ts';
import type { SnapshotOptions } from '../../platform/sqlite/open-snapshot.ts';
import { openSnapshot } from '../../platform/sqlite/open-snapshot.ts';
import {
  NEWEST_FIRST,
  SESSION_COLUMNS,
  parseEventBody,
  parseMessageBody,
  parseSessionRow,
} from '../../platform/sqlite/session-rows.ts';

/** One session in `fluffy session list --json`. Times are milliseconds since the epoch. */
export interface SessionSummary {
  readonly id: string;
  readonly title: string;
  readonly created: number;
  readonly updated: number;
  readonly state: SessionRow['state'];
  readonly mode: SessionRow['mode'];
  readonly status: SessionRow['status'];
  readonly archived: boolean;
  readonly commits: readonly string[];
  readonly forked_from: ForkedFrom | null;
}

/** The output of `fluffy session show --json`. */
export interface SessionDetails extends SessionSummary {
  readonly events: readonly FluffyEvent[];
}

/** Limits for the memory of this process with a hostile database. */
const MAX_SESSIONS = 100_000;
const MAX_EVENTS = 1_000_000;
const MAX_PREVIEW_BYTES = 64 * 1024;
/** A snapshot that is not JSON counts as no fork. */
const SUMMARY_COLUMNS = `${SESSION_COLUMNS},
  CASE WHEN json_valid(snapshot) THEN json_extract(snapshot, '$.forked_from') END AS forked_from,
  CASE WHEN json_valid(snapshot) THEN json_extract(snapshot, '$.archived_as') END AS archived_as`;
const MAX_TEXT_BYTES = 16 * 1024 * 1024;

/** Sessions of a project, the most recently used first. Throws FluffyError `database_unusable`, `database_row_invalid`, `database_unreadable`. */
export function listSessions(databasePath: string, options?: SnapshotOptions): readonly SessionSummary[] {
  return withSnapshot(databasePath, options, [], (connection) =>
    connection
      .prepare<[], unknown>(
        `SELECT ${SUMMARY_COLUMNS} FROM sessions
         ORDER BY updated_ms DESC, ordinal DESC LIMIT ${MAX_SESSIONS}`,
      )
      .all()
      .map(summaryOf),
  );
}

/** One session with its events; `latest` is the most recently used one. Throws like `listSessions`, and FluffyError `session_not_found`. */
export function showSession(databasePath: string, id: string, options?: SnapshotOptions): SessionDetails {
  const details = withSnapshot(databasePath, options, null, (connection) => {
    const sessionId = id === 'latest' ? newestId(connection) : id;
    const row = connection
      .prepare<[string | null], unknown>(`SELECT ${SUMMARY_COLUMNS} FROM sessions WHERE id = ?`)
      .get(sessionId);
    if (row === undefined) return null;
    const bodies = connection
      .prepare<[string | null], string | null>(
        `SELECT CASE WHEN octet_length(body) <= ${MAX_TEXT_BYTES} THEN body ELSE 'too large' END FROM events
         WHERE session_id = ? ORDER BY seq LIMIT ${MAX_EVENTS}`,
      )
      .pluck()
      .all(sessionId);
    return { ...summaryOf(row), events: bodies.map((body) => parseEventBody(String(body))) };
  });
  if (details === null) throw notFound(id);
  return details;
}

const choiceSchema = z.object({ model: z.string(), mode: z.enum(SESSION_MODES) });

/** Model and mode of a session; null for an unknown one, and where the database cannot be read: the kernel says why. */
export function storedChoice(
  databasePath: string,
  id: string,
  options?: SnapshotOptions,
): z.infer<typeof choiceSchema> | null {
  try {
    return withSnapshot(databasePath, options, null, (connection) => {
      const row = connection
        .prepare<[string | null], unknown>(
          `SELECT mode, CASE WHEN json_valid(snapshot) THEN json_extract(snapshot, '$.options.model') END AS model
           FROM sessions WHERE id = ?`,
        )
        .get(id === 'latest' ? newestId(connection) : id);
      return choiceSchema.safeParse(row).data ?? null;
    });
  } catch (error) {
    if (error instanceof FluffyError) return null;
    throw error;
  }
}

/**
 * The messages that a fork has copied from its original session, oldest first; its own events follow. Notes of the kernel are left out. Throws like
 * `listSessions`.
 */
export function inheritedMessages(
  databasePath: string,
  id: string,
  options?: SnapshotOptions,
): readonly ModelMessage[] {
  return withSnapshot(databasePath, options, [], (connection) =>
    connection
      .prepare<[string], string>(
        `SELECT body FROM messages JOIN sessions ON sessions.id = session_id
         WHERE session_id = ? AND octet_length(body) <= ${MAX_TEXT_BYTES}
         AND position < json_extract(snapshot, '$.inherited_messages') ORDER BY position LIMIT ${MAX_EVENTS}`,
      )
      .pluck()
      .all(id)
      .map(parseMessageBody)
      .filter((message) => !(message.role === 'user' && message.author === 'kernel')),
  );
}

/** For each session the last message of the person and the last answer. Throws like `listSessions`. */
export function lastWords(
  databasePath: string,
  ids: readonly string[],
  options?: SnapshotOptions,
): ReadonlyMap<string, readonly string[]> {
  return withSnapshot(databasePath, options, new Map(), (connection) => {
    const last = connection
      .prepare<[string, string], string>(
        `SELECT body FROM events WHERE session_id = ? AND octet_length(body) <= ${MAX_PREVIEW_BYTES}
         AND json_extract(body, '$.type') = ? ORDER BY seq DESC LIMIT 1`,
      )
      .pluck();
    const textOf = (id: string, type: 'message.user' | 'text.done') => {
      const body = last.get(id, type);
      const event = body === undefined ? null : parseEventBody(body);
      return event?.type === type ? event.text.trim() : '';
    };
    const wordsOf = (id: string) => {
      const said = textOf(id, 'message.user');
      return [said === '' ? '' : `> ${said}`, textOf(id, 'text.done')].filter((text) => text !== '');
    };
    return new Map(ids.map((id) => [id, wordsOf(id)]));
  });
}

function withSnapshot<T>(
  databasePath: string,
  options: SnapshotOptions | undefined,
  missing: T,
  read: (connection: Database) => T,
): T {
  const snapshot = openSnapshot(databasePath, options);
  if (snapshot.kind === 'missing') return missing;
  if (snapshot.kind === 'unusable') throw unusable(databasePath, snapshot.reason);
  try {
    return read(snapshot.connection);
  } catch (error) {
    throw error instanceof FluffyError ? error : unusable(databasePath, String(error));
  } finally {
    snapshot.close();
  }
}

function newestId(connection: Database): string | null {
  const sql = `SELECT id FROM sessions ${NEWEST_FIRST} LIMIT 1`;
  return connection.prepare<[], string>(sql).pluck().get() ?? null;
}

function summaryOf(columns: unknown): SessionSummary {
  const { forked_from, archived_as, ...stored } = columns as {
    readonly forked_from: string | null;
    readonly archived_as: unknown;
  };
  const row = parseSessionRow(stored);
  const { id, title, created_ms, updated_ms, state, mode, commits } = row;
  const forkedFrom = forkedFromSchema.nullable().safeParse(parseJson(forked_from ?? 'null')).data ?? null;
  const archived = row.status === 'archived';
  // A session that was archived by an earlier version has no other status.
  const status = archived ? (z.enum(SESSION_STATUSES).safeParse(archived_as).data ?? row.status) : row.status;
  const times = { created: created_ms, updated: updated_ms };
  return { id, title, ...times, state, mode, status, archived, commits, forked_from: forkedFrom };
}

function notFound(id: string): FluffyError {
  return new FluffyError({
    code: 'session_not_found',
    what: id === 'latest' ? 'There is no session yet' : `There is no session ${id}`,
    why: 'this project has no session with that name',
    fix: 'Run `fluffy session list` to see the sessions of this project',
    exitCode: EXIT.usage,
  });
}

function unusable(path: string, why: string): FluffyError {
  return new FluffyError({
    code: 'database_unusable',
    what: `The database ${path} cannot be read`,
    why,
    fix: 'Run fluffy once: the kernel saves what can be saved of a damaged database',
    exitCode: EXIT.failed,
  });
}
