import {
  copyFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { SqliteAuditLog } from '../../../src/platform/sqlite/audit-log.ts';
import { backUp, listBackups } from '../../../src/platform/sqlite/backups.ts';
import { recoveryEntry } from '../../../src/platform/sqlite/recovery-entry.ts';
import { SqliteSessionStore } from '../../../src/platform/sqlite/session-store.ts';
import { auditInput } from '../../kernel/audit/chain-fixture.ts';
import { chainFault } from './chain-fault.ts';
import type { Fixture } from './database-fixture.ts';
import { databaseFixture } from './database-fixture.ts';

const PAGE = 4096;
const RECORDS = 200;

/** Overwrites the page that holds record `id`, as a failing disk might. */
function damageRecord(path: string, id: number): void {
  const bytes = readFileSync(path);
  const at = bytes.indexOf(`"input_summary":"record ${id}"`);
  expect(at).toBeGreaterThan(0);
  bytes.fill(0xa5, Math.floor(at / PAGE) * PAGE, (Math.floor(at / PAGE) + 1) * PAGE);
  writeFileSync(path, bytes);
}

async function snapshotNow(fixture: Fixture): Promise<void> {
  const { database } = fixture.open();
  await backUp(database, fixture.backups, fixture.clock);
  database.close();
}

function appendMore(fixture: Fixture, count: number): void {
  const { database } = fixture.open();
  const log = new SqliteAuditLog(database, fixture.clock);
  for (let index = 0; index < count; index += 1) log.append(auditInput({ input_summary: `later ${index}` }));
  database.close();
}

function recordIds(fixture: Fixture): number[] {
  const connection = new Database(fixture.path, { readonly: true });
  const ids = connection.prepare<[], number>('SELECT id FROM audit ORDER BY id').pluck().all();
  connection.close();
  return ids;
}

describe('a damaged page', () => {
  it('costs only the records on it; the log goes on and shows the gap', () => {
    const fixture = databaseFixture();
    fixture.fill(RECORDS);
    damageRecord(fixture.path, 100);
    const { database, recovery } = fixture.open();
    const ids = new SqliteAuditLog(database, fixture.clock).recent(1_000).map(({ id }) => id);
    expect(recovery).toMatchObject({ auditEntries: ids.length, sessions: 1, fromBackups: 0 });
    expect(ids.length).toBeGreaterThan(RECORDS - 12);
    expect(ids).not.toContain(100);
    expect(ids).toContain(RECORDS);
    const log = new SqliteAuditLog(database, fixture.clock);
    if (recovery === null) throw new Error('nothing was recovered');
    expect(log.append(recoveryEntry(recovery))).toMatchObject({ id: RECORDS + 1, event_type: 'audit_chain_break' });
    database.close();
    const fault = chainFault(fixture.path);
    expect(fault?.reason).toBe('missing');
    expect(ids).toContain((fault?.id ?? 0) - 1);
    expect(readFileSync(recovery.keptAs ?? '').includes('record 1')).toBe(true);
    expect(fixture.open().recovery).toBeNull();
  });

  it('costs nothing where a snapshot has its records', async () => {
    const fixture = databaseFixture();
    fixture.fill(RECORDS);
    await snapshotNow(fixture);
    appendMore(fixture, 20);
    damageRecord(fixture.path, 100);
    const { database, recovery } = fixture.open();
    expect(recovery?.auditEntries).toBe(RECORDS + 20);
    expect(recovery?.fromBackups).toBeGreaterThan(0);
    database.close();
    expect(chainFault(fixture.path)).toBeNull();
  });
});

describe('a database that cannot be opened at all', () => {
  const ruin = (path: string): void =>
    writeFileSync(path, Buffer.concat([Buffer.from('garbage '), readFileSync(path).subarray(8)]));

  it('is restored from the newest snapshot', async () => {
    const fixture = databaseFixture();
    fixture.fill(RECORDS);
    await snapshotNow(fixture);
    appendMore(fixture, 5);
    fixture.clock.now += 1;
    await snapshotNow(fixture);
    appendMore(fixture, 5);
    ruin(fixture.path);
    const { database, recovery } = fixture.open();
    expect(recovery).toMatchObject({ auditEntries: RECORDS + 5, sessions: 1, fromBackups: RECORDS + 5 + 1 + 1 });
    expect(new SqliteSessionStore(database, fixture.clock).newest()?.title).toBe('Add error handling');
    database.close();
    expect(chainFault(fixture.path)).toBeNull();
    expect(chainFault(fixture.path, 'transitions')).toBeNull();
  });

  it('becomes an empty one where there is no snapshot, and is kept', () => {
    const fixture = databaseFixture();
    fixture.fill(RECORDS);
    ruin(fixture.path);
    const { database, recovery } = fixture.open();
    expect(recovery).toMatchObject({ auditEntries: 0, sessions: 0 });
    expect(
      readFileSync(recovery?.keptAs ?? '')
        .subarray(0, 7)
        .toString(),
    ).toBe('garbage');
    new SqliteAuditLog(database, fixture.clock).append(auditInput());
    database.close();
    expect(recordIds(fixture)).toEqual([1]);
  });

  it.each([
    ['gone', (path: string) => rmSync(path)],
    ['empty', (path: string) => truncateSync(path)],
  ])('because it is %s is restored from a snapshot too', async (_name, remove) => {
    const fixture = databaseFixture();
    fixture.fill(10);
    await snapshotNow(fixture);
    remove(fixture.path);
    expect(fixture.open().recovery?.auditEntries).toBe(10);
  });

  it('keeps the last two damaged ones only', () => {
    const fixture = databaseFixture();
    for (let round = 0; round < 4; round += 1) {
      fixture.clock.now += 1;
      fixture.fill(1);
      ruin(fixture.path);
      fixture.open().database.close();
    }
    expect(readdirSync(fixture.directory).filter((name) => /damaged-\d+$/.test(name))).toHaveLength(2);
  });
});

it('tables that no fluffy made are damage: known rows are taken over, the rest is not', () => {
  const fixture = databaseFixture();
  fixture.fill(10);
  fixture.edit(
    'CREATE TRIGGER forget AFTER INSERT ON audit BEGIN DELETE FROM audit WHERE id = 3; END; CREATE VIEW v AS SELECT 1',
  );
  const { database, recovery } = fixture.open();
  expect(recovery?.auditEntries).toBe(10);
  new SqliteAuditLog(database, fixture.clock).append(auditInput());
  database.close();
  expect(recordIds(fixture)).toHaveLength(11);
  expect(chainFault(fixture.path)).toBeNull();
});

describe('a recovery that was interrupted', () => {
  it('before the new database was complete begins again', () => {
    const fixture = databaseFixture();
    fixture.fill(RECORDS);
    damageRecord(fixture.path, 100);
    writeFileSync(`${fixture.path}.partial`, 'half of it');
    expect(fixture.open().recovery?.auditEntries).toBeGreaterThan(RECORDS - 12);
  });

  it.each([
    ['before anything was put in its place', (_path: string) => undefined],
    ['when only the old log was gone', (path: string) => rmSync(`${path}-wal`)],
    ['when all of the old one was gone', (path: string) => [path, `${path}-wal`].forEach((file) => rmSync(file))],
  ])('%s is carried on, and the old write-ahead log never meets the new file', (_name, crash) => {
    const fixture = databaseFixture();
    fixture.fill(20);
    copyFileSync(fixture.path, `${fixture.path}.salvaged`);
    const { database } = fixture.open();
    database.close();
    leaveWalBehind(fixture);
    copyFileSync(join(fixture.directory, 'good'), `${fixture.path}.salvaged`);
    crash(fixture.path);
    const opened = fixture.open();
    expect(opened.recovery).toBeNull();
    opened.database.close();
    expect(recordIds(fixture)).toHaveLength(20);
    expect(existsSync(`${fixture.path}.salvaged`)).toBe(false);
    expect(chainFault(fixture.path)).toBeNull();
  });
});

/** Ends with a database and its write-ahead log as a killed kernel leaves them, and a copy `good` from before. */
function leaveWalBehind(fixture: Fixture): void {
  copyFileSync(fixture.path, join(fixture.directory, 'good'));
  const { database } = fixture.open();
  const log = new SqliteAuditLog(database, fixture.clock);
  for (let index = 0; index < 30; index += 1) log.append(auditInput());
  const saved = ['', '-wal'].map((suffix) => [suffix, readFileSync(fixture.path + suffix)] as const);
  database.close();
  for (const [suffix, bytes] of saved) writeFileSync(fixture.path + suffix, bytes);
  expect(statSync(`${fixture.path}-wal`).size).toBeGreaterThan(0);
}

it('a copy made after the calendar was set back is the newest, and is kept', async () => {
  const fixture = databaseFixture();
  fixture.fill(1);
  for (let copy = 0; copy < 5; copy += 1) {
    await snapshotNow(fixture);
    fixture.clock.now += 30 * 60_000;
  }
  const before = listBackups(fixture.backups);
  fixture.clock.now -= 3_600_000;
  await snapshotNow(fixture);
  const after = listBackups(fixture.backups);
  expect(after.slice(1)).toEqual(before.slice(0, -1));
  expect(before).not.toContain(after[0]);
});
