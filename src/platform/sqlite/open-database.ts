import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { Clock } from '../../contracts/ports/clock.ts';
import { messageOf } from '../../lib/text/message-of.ts';
import { backUpNow, listBackups, removePartialBackups } from './backups.ts';
import { readMark, removeMark } from './clean-mark.ts';
import { KernelDatabase } from './kernel-database.ts';
import type { Recovery } from './recover-database.ts';
import { finishRecovery, recoverDatabase } from './recover-database.ts';
import { SCHEMA_VERSION, describeSchema, expectedSchema, migrate, schemaVersionOf } from './schema.ts';
import { databaseFailure, isDamage } from './sqlite-failure.ts';
import { acquireWriterLock } from './writer-lock.ts';
import { makeDirectory } from '../fs/make-directory.ts';

export interface OpenOptions {
  readonly path: string;
  readonly backups: string;
  readonly clock: Clock;
  /** Wraps the connection, for tests that make writes fail. */
  readonly wrap?: (connection: Database.Database) => Database.Database;
}

export interface OpenedDatabase {
  readonly database: KernelDatabase;
  /**
   * Set if the file was damaged or missing and what could be saved was saved; to be recorded as `audit_chain_break`.
   */
  readonly recovery: Recovery | null;
  /** The last writer was killed, and only the data that a start reads was checked; `findDamagedRow` checks the rest. */
  readonly unchecked: boolean;
}

/**
 * Opens or creates the kernel's database: takes the writer's lock, does the check that its known state requires,
 * recovers if that fails, then migrates to the newest schema. The time does not depend on the length of the audit log,
 * unless the file is suspect. Throws FluffyError `database_in_use`, `database_newer`, `database_unusable`.
 */
export function openDatabase(options: OpenOptions): OpenedDatabase {
  const { path, clock } = options;
  makeDirectory(dirname(path));
  createPrivately(`${path}.lock`);
  const lock = acquireWriterLock(path);
  try {
    finishRecovery(path);
    removePartialBackups(options.backups);
    const found = openIntact(options);
    const recovery = found.kind === 'damaged' ? recoverDatabase({ ...options, why: found.why }) : null;
    const connection = found.kind === 'intact' ? found.connection : openRecovered(path);
    const wrapped = options.wrap?.(connection) ?? connection;
    removeMark(path);
    const unchecked = found.kind === 'intact' && found.unchecked;
    const database = new KernelDatabase(wrapped, clock, { path, unchecked, onClose: () => lock.release() });
    return { database, recovery, unchecked };
  } catch (error) {
    lock.release();
    if (error instanceof FluffyError) throw error;
    throw databaseFailure('database_unusable', `The database ${path} cannot be opened`, error);
  }
}

/** SQLite gives the files that it creates beside this one the same permissions. */
function createPrivately(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
}

type Found =
  | { readonly kind: 'intact'; readonly connection: Database.Database; readonly unchecked: boolean }
  | { readonly kind: 'damaged'; readonly why: string };

function openIntact({ path, backups, clock }: OpenOptions): Found {
  const empty = !existsSync(path) || statSync(path).size === 0;
  if (empty && listBackups(backups).length > 0) return { kind: 'damaged', why: 'its file is missing or empty' };
  createPrivately(path);
  const state = readMark(path);
  const connection = new Database(path, { timeout: 0 });
  try {
    configure(connection);
    const version = schemaVersionOf(connection);
    refuseNewer(path, version);
    const isWhole = state === 'suspect' || (version > 0 && version < SCHEMA_VERSION);
    const why = state === 'clean' ? null : findDamage(connection, isWhole ? EVERYTHING : READ_AT_START);
    if (why === null && version > 0 && version < SCHEMA_VERSION) backUpNow(connection, backups, clock);
    if (why === null) migrate(connection);
    const strange =
      why ?? (describeSchema(connection) === expectedSchema() ? null : 'its tables are not the known ones');
    if (strange === null)
      return { kind: 'intact', connection, unchecked: state === 'cut-off' && version === SCHEMA_VERSION };
    connection.close();
    return { kind: 'damaged', why: strange };
  } catch (error) {
    connection.close();
    if (isDamage(error)) return { kind: 'damaged', why: messageOf(error) };
    throw error;
  }
}

function openRecovered(path: string): Database.Database {
  const connection = new Database(path, { timeout: 0 });
  configure(connection);
  return connection;
}

/**
 * Exclusive before the first access: the index of the write-ahead log is then in this process and not in a shared file.
 */
function configure(connection: Database.Database): void {
  connection.pragma('locking_mode = EXCLUSIVE');
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  connection.pragma('wal_autocheckpoint = 0');
  connection.pragma('trusted_schema = OFF');
  connection.pragma('cell_size_check = ON');
  connection.pragma('foreign_keys = OFF');
}

/** About 20 ms for each MiB of the file. */
const EVERYTHING = ['integrity_check(1)'];
/**
 * The data that a start reads before it serves requests. Its size depends neither on the audit log nor on the
 * conversations.
 */
const READ_AT_START = ['quick_check(sqlite_schema)', 'quick_check(sessions)', 'quick_check(operations)'];

function findDamage(connection: Database.Database, checks: readonly string[]): string | null {
  if (schemaVersionOf(connection) === 0) return null;
  for (const check of checks) {
    const verdict = connection.pragma(check, { simple: true });
    if (verdict !== 'ok') return String(verdict);
  }
  return null;
}

function refuseNewer(path: string, version: number): void {
  if (version <= SCHEMA_VERSION) return;
  throw new FluffyError({
    code: 'database_newer',
    what: `The database ${path} cannot be opened`,
    why: `a newer fluffy made it (schema ${version}, this one knows ${SCHEMA_VERSION})`,
    fix: 'Use that newer fluffy',
    exitCode: EXIT.usage,
  });
}
