import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { databaseFailure, isDamage, sqliteCode } from './sqlite-failure.ts';

export interface WriterLock {
  release(): void;
}

/**
 * Makes this process the only writer until `release` or its death, also by kill -9: the operating system releases the
 * lock of a dead process. The lock is a file of its own, so that it also holds while a damaged database is being
 * replaced. Throws FluffyError `database_in_use`, `database_unusable`.
 */
export function acquireWriterLock(databasePath: string): WriterLock {
  const path = `${databasePath}.lock`;
  try {
    return lock(path);
  } catch (error) {
    if (!isDamage(error)) throw explainRefusal(databasePath, error);
    rmSync(path, { force: true });
  }
  try {
    return lock(path);
  } catch (error) {
    throw explainRefusal(databasePath, error);
  }
}

function lock(path: string): WriterLock {
  const connection = new Database(path, { timeout: 0 });
  try {
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    throw error;
  }
  return { release: () => connection.close() };
}

function explainRefusal(databasePath: string, cause: unknown): FluffyError {
  if (sqliteCode(cause)?.startsWith('SQLITE_BUSY') !== true) {
    return databaseFailure('database_unusable', `The database ${databasePath} cannot be opened`, cause);
  }
  return new FluffyError({
    code: 'database_in_use',
    what: `The database ${databasePath} cannot be opened`,
    why: 'another kernel writes to it',
    fix: 'Wait until it has ended; fluffy doctor shows which one it is',
    exitCode: EXIT.kernelCrashed,
    cause,
  });
}
