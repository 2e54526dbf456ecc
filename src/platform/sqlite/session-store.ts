import type { Statement } from 'better-sqlite3';
import type { FluffyEvent } from '../../contracts/session/events.ts';
import type { ModelMessage } from '../../contracts/model/model.ts';
import type { Clock } from '../../contracts/ports/clock.ts';
import type {
  KeptOutput,
  SessionChanges,
  SessionRow,
  SessionStore,
  StoredMessage,
} from '../../contracts/ports/session-store.ts';
import type { SessionFacts } from '../../contracts/session/session-facts.ts';
import type { Snapshot } from '../../contracts/session/session-snapshot.ts';
import { ChainedTable } from './chained-table.ts';
import type { KernelDatabase } from './kernel-database.ts';
import {
  NEWEST_FIRST,
  SESSION_COLUMNS,
  parseEventBody,
  parseFacts,
  parseMessageBody,
  parseProgress,
  parseSessionRow,
} from './session-rows.ts';

/**
 * Maximum for the outputs of one session; the oldest are removed first. In bytes, which SQLite knows without reading
 * the texts.
 */
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;
const SEARCH_PAGE = 50;

/** Sessions in the kernel's database. Every change of a session's state, mode or status is chained in `transitions`. */
export class SqliteSessionStore implements SessionStore {
  readonly #database: KernelDatabase;
  readonly #transitions: ChainedTable;
  readonly #statements: ReturnType<typeof prepareAll>;

  constructor(database: KernelDatabase, clock: Clock) {
    this.#database = database;
    this.#transitions = new ChainedTable(database.connection, 'transitions', clock.nowMs());
    this.#statements = prepareAll(database);
  }

  insert(row: SessionRow, snapshot: Snapshot): void {
    const { id, title, created_ms, updated_ms, state, mode, status, commits } = row;
    const { baseline, red, green, proof, prepared, review, context, ...progress } = snapshot;
    this.#write(() => {
      const values = [id, title, created_ms, updated_ms, state, mode, status, JSON.stringify(commits)] as const;
      this.#statements.insert.run(...values, JSON.stringify(progress));
      this.#writeFacts(id, { baseline, red, green, proof, prepared, review, context });
      this.#chain(row);
    });
  }

  /** Messages are appended to the stored ones; the first event must follow the last stored one. */
  save(row: SessionRow, changes: SessionChanges): void {
    const { id, title, updated_ms, state, mode, status, commits } = row;
    this.#write(() => {
      const before = this.#statements.decided.get(id);
      if (before === undefined) throw new Error(`there is no session ${id}`);
      this.#statements.update.run(title, updated_ms, state, mode, status, JSON.stringify(commits), id);
      if (changes.progress !== undefined) this.#statements.updateProgress.run(JSON.stringify(changes.progress), id);
      this.#writeFacts(id, changes.facts ?? {});
      this.#addMessages(id, changes.messages ?? []);
      this.#addEvents(id, changes.events ?? []);
      this.#keepOutputs(id, changes.outputs ?? []);
      const moved = before.state !== state || before.mode !== mode || before.status !== status;
      if (moved) this.#chain(row);
    });
  }

  remove(id: string): void {
    this.#write(() => {
      for (const statement of this.#statements.remove) statement.run(id);
    });
  }

  get(id: string): SessionRow | null {
    const row = this.#statements.get.get(id);
    return row === undefined ? null : parseSessionRow(row);
  }

  snapshot(id: string): Snapshot | null {
    const progress = this.#statements.progress.get(id);
    if (progress === undefined) return null;
    return { ...parseProgress(progress), ...parseFacts(this.#statements.facts.all(id)) };
  }

  newest(): SessionRow | null {
    const row = this.#statements.newest.get();
    return row === undefined ? null : parseSessionRow(row);
  }

  /** The most recently used first. */
  list(): readonly SessionRow[] {
    return this.#statements.list.all().map(parseSessionRow);
  }

  messages(id: string, from = 0): readonly ModelMessage[] {
    return this.#statements.messages.all(id, from).map(parseMessageBody);
  }

  message(id: string, position: number): ModelMessage | null {
    const body = this.#statements.message.get(id, position);
    return body === undefined ? null : parseMessageBody(body);
  }

  *searchMessages(id: string, text: string): Iterable<StoredMessage> {
    // A message is stored as JSON, and the arguments of a call are JSON inside it.
    const inMessage = asInJson(text);
    const patterns = [inMessage, asInJson(inMessage)].map((each) => `%${each.replace(/[\\%_]/g, String.raw`\$&`)}%`);
    const [first = '', second = ''] = patterns;
    let before = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const page = this.#statements.searchMessages.all(id, before, first, second, SEARCH_PAGE);
      for (const { position, body } of page) yield { position, message: parseMessageBody(body) };
      const last = page.at(-1);
      if (last === undefined) return;
      before = last.position;
    }
  }

  output(id: string, reference: string): string | null {
    return this.#statements.output.get(id, reference) ?? null;
  }

  copyOutputs(from: string, to: string): void {
    this.#write(() => this.#statements.copyOutputs.run(to, from));
  }

  events(id: string, afterSeq: number): readonly FluffyEvent[] {
    return this.#statements.events.all(id, afterSeq).map(parseEventBody);
  }

  lastSeq(id: string): number {
    return this.#statements.lastSeq.get(id) ?? 0;
  }

  #write(change: () => void): void {
    this.#database.write('session_write_failed', change);
  }

  #chain({ id, state, mode, status, updated_ms }: SessionRow): void {
    const first = this.#transitions.head().entries === 0;
    const genesis = first ? { genesis_timestamp: this.#transitions.genesisMs } : {};
    this.#transitions.append({ session_id: id, state, mode, status, timestamp: updated_ms, ...genesis });
  }

  #writeFacts(id: string, facts: Partial<SessionFacts>): void {
    for (const [name, fact] of Object.entries(facts)) {
      if (fact === null) this.#statements.deleteFact.run(id, name);
      else this.#statements.putFact.run(id, name, JSON.stringify(fact));
    }
  }

  #addMessages(id: string, messages: readonly ModelMessage[]): void {
    let position = this.#statements.countMessages.get(id) ?? 0;
    for (const message of messages) {
      this.#statements.insertMessage.run(id, position, JSON.stringify(message));
      position += 1;
    }
  }

  #addEvents(id: string, events: readonly FluffyEvent[]): void {
    let expected = this.lastSeq(id) + 1;
    for (const event of events) {
      if (event.seq !== expected) throw new Error(`event ${event.seq} of ${id} where ${expected} was due`);
      this.#statements.insertEvent.run(id, event.seq, JSON.stringify(event));
      expected += 1;
    }
  }

  #keepOutputs(id: string, outputs: readonly KeptOutput[]): void {
    for (const { reference, text } of outputs) this.#statements.putOutput.run(id, reference, text);
    if (outputs.length > 0) this.#statements.dropOldOutputs.run(id, id, MAX_OUTPUT_BYTES);
  }
}

/** A text in the form between the quotes of JSON. */
function asInJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function prepareAll({ connection }: KernelDatabase) {
  const rows = `SELECT ${SESSION_COLUMNS} FROM sessions`;
  const newestFirst = 'ORDER BY updated_ms DESC, ordinal DESC';
  return {
    insert: connection.prepare(
      `INSERT INTO sessions (${SESSION_COLUMNS}, snapshot) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    decided: connection.prepare<[string], Pick<SessionRow, 'state' | 'mode' | 'status'>>(
      'SELECT state, mode, status FROM sessions WHERE id = ?',
    ),
    update: connection.prepare(
      'UPDATE sessions SET title = ?, updated_ms = ?, state = ?, mode = ?, status = ?, commits = ? WHERE id = ?',
    ),
    progress: plucked<[string], string>('SELECT snapshot FROM sessions WHERE id = ?'),
    updateProgress: connection.prepare('UPDATE sessions SET snapshot = ? WHERE id = ?'),
    facts: connection.prepare<[string], { name: string; body: string }>(
      'SELECT name, body FROM session_facts WHERE session_id = ?',
    ),
    putFact: connection.prepare(
      `INSERT INTO session_facts (session_id, name, body) VALUES (?, ?, ?)
       ON CONFLICT (session_id, name) DO UPDATE SET body = excluded.body`,
    ),
    deleteFact: connection.prepare('DELETE FROM session_facts WHERE session_id = ? AND name = ?'),
    get: connection.prepare<[string], unknown>(`${rows} WHERE id = ?`),
    newest: connection.prepare<[], unknown>(`${rows} ${NEWEST_FIRST} LIMIT 1`),
    list: connection.prepare<[], unknown>(`${rows} ${newestFirst}`),
    messages: plucked<[string, number], string>(
      'SELECT body FROM messages WHERE session_id = ? AND position >= ? ORDER BY position',
    ),
    message: plucked<[string, number], string>('SELECT body FROM messages WHERE session_id = ? AND position = ?'),
    searchMessages: connection.prepare<[string, number, string, string, number], { position: number; body: string }>(
      `SELECT position, body FROM messages WHERE session_id = ? AND position < ?
         AND (body LIKE ? ESCAPE '\\' OR body LIKE ? ESCAPE '\\')
       ORDER BY position DESC LIMIT ?`,
    ),
    putOutput: connection.prepare('INSERT OR REPLACE INTO outputs (session_id, reference, body) VALUES (?, ?, ?)'),
    dropOldOutputs: connection.prepare(
      `DELETE FROM outputs WHERE session_id = ? AND ordinal IN (
         SELECT ordinal FROM (
           SELECT ordinal, sum(octet_length(body)) OVER (ORDER BY ordinal DESC) AS total FROM outputs WHERE session_id = ?
         ) WHERE total > ?
       )`,
    ),
    copyOutputs: connection.prepare(
      `INSERT OR REPLACE INTO outputs (session_id, reference, body)
       SELECT ?, reference, body FROM outputs WHERE session_id = ? ORDER BY ordinal`,
    ),
    output: plucked<[string, string], string>('SELECT body FROM outputs WHERE session_id = ? AND reference = ?'),
    countMessages: plucked<[string], number>('SELECT max(position) + 1 FROM messages WHERE session_id = ?'),
    insertMessage: connection.prepare('INSERT INTO messages (session_id, position, body) VALUES (?, ?, ?)'),
    events: plucked<[string, number], string>('SELECT body FROM events WHERE session_id = ? AND seq > ? ORDER BY seq'),
    lastSeq: plucked<[string], number>('SELECT max(seq) FROM events WHERE session_id = ?'),
    insertEvent: connection.prepare('INSERT INTO events (session_id, seq, body) VALUES (?, ?, ?)'),
    remove: [
      'DELETE FROM events WHERE session_id = ?',
      'DELETE FROM messages WHERE session_id = ?',
      'DELETE FROM outputs WHERE session_id = ?',
      'DELETE FROM session_facts WHERE session_id = ?',
      'DELETE FROM sessions WHERE id = ?',
    ].map((sql) => connection.prepare<[string]>(sql)),
  };

  function plucked<P extends unknown[], R>(sql: string): Statement<P, R> {
    return connection.prepare<P, R>(sql).pluck();
  }
}
