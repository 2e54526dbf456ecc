import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { listBackups } from '../../../src/platform/sqlite/backups.ts';
import { migrate } from '../../../src/platform/sqlite/schema.ts';
import { SqliteSessionStore } from '../../../src/platform/sqlite/session-store.ts';
import type { Snapshot } from '../../../src/kernel/session/snapshot.ts';
import { databaseFixture, sessionRow, sessionSnapshot } from './database-fixture.ts';

const FACTS = {
  baseline: { kind: 'known', passed: ['test/a.test.js\0 a › "b" \u2028'], failed: [], broken_files: ['x'] },
  red: {
    run_id: 't_1',
    cases: ['test/b.test.js\0c'],
    files: [],
    frozen: {},
    sensitive: {},
    staging_digest: 'd',
    at_ms: 1,
  },
  green: { run_id: 't_2', at_ms: 2, staging_digest: 'd', passed: 1, skipped: 0, failed: [] },
} as const;

/** A database as schema 1 left it: the whole snapshot is one text. */
function oldDatabase(path: string, snapshots: Readonly<Record<string, string>>): void {
  const connection = new Database(path);
  migrate(connection, 1);
  const insert = connection.prepare(
    `INSERT INTO sessions (id, title, created_ms, updated_ms, state, mode, status, commits, snapshot)
     VALUES (?, 'Old', 1, 1, 'code_writing', 'strict', 'active', '[]', ?)`,
  );
  for (const [id, snapshot] of Object.entries(snapshots)) insert.run(id, snapshot);
  connection.close();
}

/** Facts that schema 1 did not know are not in it. */
const old = (facts: object): string =>
  JSON.stringify({ ...sessionSnapshot(), task: 'the old task', proof: undefined, context: undefined, ...facts });

describe('a database of schema 1', () => {
  it('opens, with each fact of a session as it was, and goes on', () => {
    const fixture = databaseFixture();
    oldDatabase(fixture.path, { s_abcdefgh: old(FACTS), s_empty000: old({}) });
    const { database, recovery } = fixture.open();
    expect(recovery).toBeNull();
    const store = new SqliteSessionStore(database, fixture.clock);
    const expected = { ...sessionSnapshot(), task: 'the old task', ...FACTS } as unknown as Snapshot;
    expect(store.snapshot('s_abcdefgh')).toEqual(expected);
    expect(store.snapshot('s_empty000')).toEqual(sessionSnapshot({ task: 'the old task' }));
    store.save({ ...sessionRow(), state: 'test_writing' }, { facts: { red: null, green: null } });
    database.close();
    const again = new SqliteSessionStore(fixture.open().database, fixture.clock);
    expect(again.snapshot('s_abcdefgh')).toEqual({ ...expected, red: null, green: null });
  });

  it('is copied before it is changed, once', () => {
    const fixture = databaseFixture();
    oldDatabase(fixture.path, { s_abcdefgh: old(FACTS) });
    fixture.open().database.close();
    fixture.open().database.close();
    const [copy, ...others] = listBackups(fixture.backups);
    expect(others).toEqual([]);
    const connection = new Database(copy ?? '', { readonly: true });
    expect(connection.pragma('user_version', { simple: true })).toBe(1);
    expect(connection.prepare('SELECT snapshot FROM sessions').pluck().get()).toBe(old(FACTS));
    connection.close();
  });

  it('opens although a snapshot in it is no JSON: that session is refused, the others are there', () => {
    const fixture = databaseFixture();
    oldDatabase(fixture.path, { s_abcdefgh: old(FACTS), s_broken00: '{"version":' });
    const store = new SqliteSessionStore(fixture.open().database, fixture.clock);
    expect(() => store.snapshot('s_broken00')).toThrow(expect.objectContaining({ code: 'database_row_invalid' }));
    expect(store.snapshot('s_abcdefgh')).toMatchObject(FACTS);
  });

  it('that is only a backup by now gives its sessions, facts included', () => {
    const fixture = databaseFixture();
    mkdirSync(fixture.backups);
    oldDatabase(join(fixture.backups, 'fluffy-00000000000001.db'), { s_abcdefgh: old(FACTS) });
    const { database, recovery } = fixture.open();
    expect(recovery).toMatchObject({ sessions: 1 });
    expect(new SqliteSessionStore(database, fixture.clock).snapshot('s_abcdefgh')).toMatchObject(FACTS);
  });
});

it('a fact that is not what fluffy writes stops its session with the name of the fact', () => {
  const fixture = databaseFixture();
  fixture.fill(1);
  fixture.edit(`INSERT INTO session_facts (session_id, name, body) VALUES ('s_abcdefgh', 'red', '{"cases":1}')`);
  const store = new SqliteSessionStore(fixture.open().database, fixture.clock);
  expect(() => store.snapshot('s_abcdefgh')).toThrow(/The fact red of a session cannot be read/);
});
