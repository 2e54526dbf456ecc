import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SqliteAuditLog } from '../../../src/platform/sqlite/audit-log.ts';
import { auditInput } from '../../kernel/audit/chain-fixture.ts';
import { databaseFixture } from './database-fixture.ts';

/** Zeros in the middle of a page of the audit log: an integrity check finds them. */
function damage(path: string): void {
  const bytes = readFileSync(path);
  bytes.fill(0, bytes.length - 4096, bytes.length - 4000);
  writeFileSync(path, bytes);
}

function filled() {
  const fixture = databaseFixture();
  fixture.fill(200);
  return fixture;
}

it('a database that was closed in order is not checked page by page', () => {
  const fixture = filled();
  const { atime, mtime } = statSync(fixture.path);
  damage(fixture.path);
  utimesSync(fixture.path, atime, mtime);
  // Nanoseconds cannot be set: the mark is written as an order would have left it.
  const { size, mtimeNs, ino } = statSync(fixture.path, { bigint: true });
  writeFileSync(`${fixture.path}.clean`, `${size} ${mtimeNs} ${ino}`);
  expect(fixture.open().recovery).toBeNull();
});

it.each<[string, (path: string) => void]>([
  ['it was changed since', () => undefined],
  ['its writer found damage in it', (path) => writeFileSync(`${path}.clean`, '')],
])('it is checked where %s', (_what, prepare) => {
  const fixture = filled();
  prepare(fixture.path);
  damage(fixture.path);
  expect(fixture.open().recovery).not.toBeNull();
});

it('the mark is gone while the database is open, and only an orderly end writes it', () => {
  const fixture = filled();
  const mark = `${fixture.path}.clean`;
  expect(existsSync(mark)).toBe(true);
  const { database } = fixture.open();
  expect(existsSync(mark)).toBe(false);
  new SqliteAuditLog(database, fixture.clock).append(auditInput());
  expect(existsSync(mark)).toBe(false);
  database.close();
  expect(existsSync(mark)).toBe(true);
});
