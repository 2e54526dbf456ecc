import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { backUp, listBackups } from '../../../src/platform/sqlite/backups.ts';
import { SqliteAuditLog } from '../../../src/platform/sqlite/audit-log.ts';
import { SqliteSessionStore } from '../../../src/platform/sqlite/session-store.ts';
import { auditInput } from '../../kernel/audit/chain-fixture.ts';
import { chainFault } from './chain-fault.ts';
import { databaseFixture, sessionRow, sessionSnapshot } from './database-fixture.ts';

const inUse = expect.objectContaining({ code: 'database_in_use', exitCode: 7 }) as unknown;

describe('opening', () => {
  it('makes a database that only its owner can read', () => {
    const fixture = databaseFixture();
    const { database, recovery } = fixture.open();
    expect(recovery).toBeNull();
    new SqliteAuditLog(database, fixture.clock).append(auditInput());
    for (const name of ['', '-wal', '.lock']) expect(statSync(fixture.path + name).mode & 0o777).toBe(0o600);
    expect(existsSync(`${fixture.path}-shm`)).toBe(false);
  });

  it('syncs every commit', () => {
    const { database } = databaseFixture().open();
    expect(database.connection.pragma('synchronous', { simple: true })).toBe(2);
    expect(database.connection.pragma('journal_mode', { simple: true })).toBe('wal');
  });

  it('refuses a second writer in this process, and takes one when the first has closed', () => {
    const fixture = databaseFixture();
    const { database } = fixture.open();
    expect(() => fixture.open()).toThrow(inUse);
    database.close();
    fixture.open();
  });

  it('refuses a second writer in another process, which changes nothing', () => {
    const fixture = databaseFixture();
    const { database } = fixture.open();
    const log = new SqliteAuditLog(database, fixture.clock);
    log.append(auditInput());
    const script = `
      import { openDatabase } from ${JSON.stringify(new URL('../../../src/platform/sqlite/open-database.ts', import.meta.url).href)};
      import { systemClock } from ${JSON.stringify(new URL('../../../src/platform/system/clock.ts', import.meta.url).href)};
      try { openDatabase({ path: process.argv[1], backups: process.argv[1] + '-none', clock: systemClock }); console.log('opened'); }
      catch (error) { console.log(error.code); }`;
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script, fixture.path], {
      encoding: 'utf8',
    });
    expect(child.stdout.trim()).toBe('database_in_use');
    log.append(auditInput());
    expect(chainFault(fixture.path)).toBeNull();
  });

  it('refuses a database that a newer fluffy made, and leaves it as it is', () => {
    const fixture = databaseFixture();
    fixture.fill(1);
    fixture.edit('PRAGMA user_version = 999');
    const before = readFileSync(fixture.path);
    expect(() => fixture.open()).toThrow(expect.objectContaining({ code: 'database_newer', exitCode: 2 }));
    expect(readFileSync(fixture.path).equals(before)).toBe(true);
  });

  it.runIf(process.getuid?.() !== 0)('says so when the file may not be written', () => {
    const fixture = databaseFixture();
    fixture.fill(1);
    chmodSync(fixture.path, 0o400);
    expect(() => fixture.open()).toThrow(expect.objectContaining({ code: 'database_unusable' }));
  });

  it('replaces a lock file that is no lock file', () => {
    const fixture = databaseFixture();
    writeFileSync(`${fixture.path}.lock`, 'x'.repeat(5_000));
    fixture.open();
    expect(() => fixture.open()).toThrow(inUse);
  });
});

describe('the write-ahead log', () => {
  it('is folded in after a thousand writes or a minute', () => {
    const fixture = databaseFixture();
    const { database } = fixture.open();
    const log = new SqliteAuditLog(database, fixture.clock);
    const walBytes = (): number => statSync(`${fixture.path}-wal`).size;
    log.append(auditInput());
    expect(walBytes()).toBeGreaterThan(0);
    fixture.clock.monotonic = 59_999;
    log.append(auditInput());
    expect(walBytes()).toBeGreaterThan(0);
    fixture.clock.monotonic = 60_000;
    log.append(auditInput());
    expect(walBytes()).toBe(0);
    for (let index = 0; index < 999; index += 1) log.append(auditInput());
    expect(walBytes()).toBeGreaterThan(0);
    log.append(auditInput());
    expect(walBytes()).toBe(0);
  });
});

const HALF_AN_HOUR_MS = 30 * 60_000;

describe('a snapshot', () => {
  it('has everything up to its moment while the kernel goes on writing; the newest five are kept', async () => {
    const fixture = databaseFixture();
    const { database } = fixture.open();
    const log = new SqliteAuditLog(database, fixture.clock);
    for (let round = 1; round <= 7; round += 1) {
      fixture.clock.now += HALF_AN_HOUR_MS;
      for (let index = 0; index < 30; index += 1) log.append(auditInput());
      const backup = backUp(database, fixture.backups, fixture.clock);
      log.append(auditInput({ input_summary: 'meanwhile' }));
      const path = await backup;
      expect(path).toBe(listBackups(fixture.backups)[0]);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      const copy = new Database(path, { readonly: true });
      expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(copy.prepare('SELECT count(*) FROM audit').pluck().get()).toBeGreaterThanOrEqual(round * 31 - 1);
      copy.close();
    }
    expect(listBackups(fixture.backups)).toHaveLength(5);
    expect(chainFault(fixture.path)).toBeNull();
  });

  it('of the last minutes replaces those just before it, and none that is older', async () => {
    const fixture = databaseFixture();
    const { database } = fixture.open();
    const made: string[] = [];
    for (const waitedMs of [HALF_AN_HOUR_MS, 1000, HALF_AN_HOUR_MS, 1000, 1000, 1000]) {
      fixture.clock.now += waitedMs;
      made.push(await backUp(database, fixture.backups, fixture.clock));
    }
    expect(listBackups(fixture.backups)).toEqual([made[5], made[2], made[0]]);
  });

  it('half made by a kernel that died counts for nothing and is removed by the next', () => {
    const fixture = databaseFixture();
    mkdirSync(fixture.backups);
    for (const suffix of ['', '-journal']) {
      writeFileSync(join(fixture.backups, `fluffy-00000000000001.db.partial${suffix}`), 'half');
    }
    expect(listBackups(fixture.backups)).toEqual([]);
    expect(fixture.open().recovery).toBeNull();
    expect(readdirSync(fixture.backups)).toEqual([]);
  });

  it('that cannot be made leaves nothing behind', async () => {
    const fixture = databaseFixture();
    const { database } = fixture.open();
    database.connection.close();
    await expect(backUp(database, fixture.backups, fixture.clock)).rejects.toThrow();
    expect(readdirSync(fixture.backups)).toEqual([]);
  });
});

it('an error that is not the disk’s keeps its own words', () => {
  const fixture = databaseFixture();
  const { database } = fixture.open();
  const store = new SqliteSessionStore(database, fixture.clock);
  store.insert(sessionRow(), sessionSnapshot());
  expect(() => store.insert(sessionRow(), sessionSnapshot())).toThrow(
    expect.objectContaining({ code: 'session_write_failed', why: expect.stringContaining('UNIQUE') as string }),
  );
});
