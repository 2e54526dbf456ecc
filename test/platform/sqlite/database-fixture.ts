import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../../src/contracts/ports/clock.ts';
import { SqliteAuditLog } from '../../../src/platform/sqlite/audit-log.ts';
import type { OpenedDatabase } from '../../../src/platform/sqlite/open-database.ts';
import { openDatabase } from '../../../src/platform/sqlite/open-database.ts';
import { SqliteSessionStore } from '../../../src/platform/sqlite/session-store.ts';
import { auditInput } from '../../kernel/audit/chain-fixture.ts';
import { sessionRow, sessionSnapshot } from './session-row.ts';

export { sessionRow, sessionSnapshot };

/** Where syncing costs nothing: these tests make the disk fail themselves. */
const MEMORY = '/dev/shm';

/** A clock that stands still until it is set. */
export class ManualClock implements Clock {
  now = 1_760_000_000_000;
  monotonic = 0;
  nowMs(): number {
    return this.now;
  }
  monotonicMs(): number {
    return this.monotonic;
  }
  sleep(): Promise<void> {
    return Promise.reject(new Error('nothing here sleeps'));
  }
}

export interface Fixture {
  readonly directory: string;
  readonly path: string;
  readonly backups: string;
  readonly clock: ManualClock;
  open(wrap?: (connection: Database.Database) => Database.Database): OpenedDatabase;
  /** Closes whatever is open and changes the file behind the kernel's back. */
  edit(sql: string): void;
  /** Writes `count` audit records and one session, then closes. */
  fill(count: number): void;
}

export function databaseFixture(): Fixture {
  const directory = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'fluffy-db-'));
  const opened: OpenedDatabase[] = [];
  onTestFinished(() => {
    for (const { database } of opened) database.close();
    rmSync(directory, { recursive: true });
  });
  const clock = new ManualClock();
  const path = join(directory, 'fluffy.db');
  const backups = join(directory, 'backups');
  const open: Fixture['open'] = (wrap) => {
    const result = openDatabase({ path, backups, clock, ...(wrap === undefined ? {} : { wrap }) });
    opened.push(result);
    return result;
  };
  const fill = (count: number): void => {
    const { database } = open();
    const log = new SqliteAuditLog(database, clock);
    for (let index = 1; index <= count; index += 1) log.buffer(auditInput({ input_summary: `record ${index}` }));
    log.flush();
    new SqliteSessionStore(database, clock).insert(sessionRow(), sessionSnapshot());
    database.close();
  };
  const edit = (sql: string): void => {
    for (const { database } of opened) database.close();
    const connection = new Database(path);
    connection.exec(sql);
    connection.close();
  };
  return { directory, path, backups, clock, open, fill, edit };
}
