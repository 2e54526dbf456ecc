import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { databaseFailure, isDamage } from '../../../src/platform/sqlite/sqlite-failure.ts';

it.each([
  ['SQLITE_FULL', 'the disk is full', 'Free some space'],
  ['SQLITE_READONLY_DBMOVED', 'its file may not be written', 'Check owner and permissions'],
  ['SQLITE_CANTOPEN', 'its file may not be written', 'Check owner and permissions'],
  ['SQLITE_IOERR_READ', 'the disk refused (SQLITE_IOERR_READ)', 'Check the disk'],
  ['SQLITE_BUSY', 'said SQLite', 'Run fluffy again'],
])('%s is reported with what to do about it', (code, why, fix) => {
  const error = databaseFailure(
    'database_unusable',
    'It cannot be opened',
    new Database.SqliteError('said SQLite', code),
  );
  expect(error).toMatchObject({ why, fix: expect.stringContaining(fix) as unknown });
});

it.each([
  ['SQLITE_CORRUPT_VTAB', true],
  ['SQLITE_NOTADB', true],
  ['SQLITE_FORMAT', true],
  ['SQLITE_IOERR', false],
])('%s is damage of the file: %s', (code, expected) => {
  expect(isDamage(new Database.SqliteError('said SQLite', code))).toBe(expected);
});
