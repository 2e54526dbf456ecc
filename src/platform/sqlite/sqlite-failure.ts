import Database from 'better-sqlite3';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { messageOf } from '../../lib/text/message-of.ts';

/** The write that failed. Nothing of it was stored; the earlier data is unchanged. */
export type WriteFailureCode = 'audit_write_failed' | 'session_write_failed' | 'operation_write_failed';
export type ReadFailureCode = 'database_unusable' | 'database_row_invalid';

const WHAT: Readonly<Record<WriteFailureCode, string>> = {
  audit_write_failed: 'The audit log could not be written',
  session_write_failed: 'The session could not be saved',
  operation_write_failed: 'The record of an operation could not be written',
};

export function writeFailure(code: WriteFailureCode, cause: unknown): FluffyError {
  const { why, fix } = explain(cause);
  return new FluffyError({ code, what: WHAT[code], why, fix, exitCode: EXIT.failed, cause });
}

/** For opening and reading: a kernel can't run without its database. */
export function databaseFailure(code: ReadFailureCode, what: string, cause: unknown): FluffyError {
  return new FluffyError({ code, what, ...explain(cause), exitCode: EXIT.kernelCrashed, cause });
}

/** SQLite's error code, e.g. `SQLITE_CORRUPT_VTAB`; null for any other error. */
export function sqliteCode(error: unknown): string | null {
  return error instanceof Database.SqliteError ? error.code : null;
}

/** Whether the file itself is damaged or no database, and not merely inaccessible. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== null && (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB' || code === 'SQLITE_FORMAT');
}

function explain(cause: unknown): { why: string; fix: string } {
  const code = sqliteCode(cause) ?? '';
  if (code === 'SQLITE_FULL') return { why: 'the disk is full', fix: 'Free some space and run fluffy again' };
  if (code.startsWith('SQLITE_READONLY') || code === 'SQLITE_CANTOPEN' || code === 'SQLITE_PERM') {
    return { why: 'its file may not be written', fix: 'Check owner and permissions of the state directory' };
  }
  if (code.startsWith('SQLITE_IOERR')) {
    return { why: `the disk refused (${code})`, fix: 'Check the disk and its free space, then run fluffy again' };
  }
  const why = messageOf(cause);
  return { why, fix: 'Run fluffy again; if it stays, run fluffy doctor' };
}
