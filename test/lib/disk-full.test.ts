import { existsSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import Database from 'better-sqlite3';
import { isDiskFull } from '../../src/lib/disk-full.ts';
import { endOf } from '../../src/kernel/run/end-run.ts';

const signal = new AbortController().signal;

it.skipIf(!existsSync('/dev/full'))('a file system without space ends a run as disk_full, not as a bug', () => {
  const thrown = (() => {
    try {
      writeFileSync('/dev/full', 'x');
      return null;
    } catch (error) {
      return error;
    }
  })();
  expect(endOf(thrown, signal)).toMatchObject({ kind: 'failed', error: { code: 'disk_full', exitCode: 1 } });
});

it.each([
  [new Database.SqliteError('database or disk is full', 'SQLITE_FULL'), true],
  [Object.assign(new Error('quota'), { code: 'EDQUOT' }), true],
  [Object.assign(new Error('no'), { code: 'EACCES' }), false],
  ['ENOSPC', false],
])('%s is told from other errors', (error, expected) => {
  expect(isDiskFull(error)).toBe(expected);
});
