import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { Clock } from '../../contracts/ports/clock.ts';
import { backUpNow, listBackups, removePartialBackups } from './backups.ts';
import { markClean, takeCleanMark } from './clean-mark.ts';
import { KernelDatabase } from './kernel-database.ts';
import type { Recovery } from './recover-database.ts';
import { finishRecovery, recoverDatabase } from './recover-database.ts';
import { SCHEMA_VERSION, describeSchema, expectedSchema, migrate, schemaVersionOf } from './schema.ts';
import { databaseFailure, isDamage } from './sqlite-failure.ts';
import { acquireWriterLock } from './writer-lock.ts';

export interface OpenOptions {
  readonly path: string;
  readonly backups: string;
  readonly clock: Clock;
  /** Wraps the connection, for tests that make writes fail. */
  readonly wrap?: (connection: Database.Database) => Database.Database;
}

export interface OpenedDatabase {
  readonly database: KernelDatabase;
  /** Set when the file was damaged or gone and what could be saved was saved; to be recorded as `audit_chain_break`. */
  readonly recovery: Recovery | null;
}

/**
 * Opens the kernel's database, or makes it: the writer's lock, an integrity check unless it was closed in order, recovery where that fails, then the
 * newest schema. Throws FluffyError `database_in_use`, `database_newer`, `database_unusable`.
 */
export function openDatabase(options: OpenOptions): OpenedDatabase {
  const { path, clock } = options;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  createPrivately(`${path}.lock`);
  const lock = acquireWriterLock(path);
  try {
    finishRecovery(path);
    removePartialBackups(options.backups);
    const found = openIntact(options);
    const recovery = found.kind === 'damaged' ? recoverDatabase({ ...options, why: found.why }) : null;
    const connection = found.kind === 'intact' ? found.connection : openRecovered(path);
    const wrapped = options.wrap?.(connection) ?? connection;
    const onClose = () => {
      try {
        markClean(path);
      } finally {
        lock.release();
      }
    };
    return { database: new KernelDatabase(wrapped, clock, onClose), recovery };
  } catch (error) {
    lock.release();
    if (error instanceof FluffyError) throw error;
    throw databaseFailure('database_unusable', `The database ${path} cannot be opened`, error);
  }
}

/** SQLite gives the files it makes beside this one the same permissions. */
function createPrivately(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
}

type Found =
  | { readonly kind: 'intact'; readonly connection: Database.Database }
  | { readonly kind: 'damaged'; readonly why: string };

function openIntact({ path, backups, clock }: OpenOptions): Found {
  const empty = !existsSync(path) || statSync(path).size === 0;
  if (empty && listBackups(backups).length > 0) return { kind: 'damaged', why: 'its file is gone or empty' };
  createPrivately(path);
  const isClean = takeCleanMark(path);
  const connection = new Database(path, { timeout: 0 });
  try {
    configure(connection);
    const version = schemaVersionOf(connection);
    refuseNewer(path, version);
    const why = isClean ? null : findDamage(connection);
    if (why === null && version > 0 && version < SCHEMA_VERSION) backUpNow(connection, backups, clock);
    if (why === null) migrate(connection);
    const strange =
      why ?? (describeSchema(connection) === expectedSchema() ? null : 'its tables are not the known ones');
    if (strange === null) return { kind: 'intact', connection };
    connection.close();
    return { kind: 'damaged', why: strange };
  } catch (error) {
    connection.close();
    if (isDamage(error)) return { kind: 'damaged', why: error instanceof Error ? error.message : 'damaged' };
    throw error;
  }
}

function openRecovered(path: string): Database.Database {
  const connection = new Database(path, { timeout: 0 });
  configure(connection);
  return connection;
}

/** Exclusive before the first access: the write-ahead log's index then lives in this process and not in a shared file. */
function configure(connection: Database.Database): void {
  connection.pragma('locking_mode = EXCLUSIVE');
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  connection.pragma('wal_autocheckpoint = 0');
  connection.pragma('trusted_schema = OFF');
  connection.pragma('cell_size_check = ON');
  connection.pragma('foreign_keys = OFF');
}

function findDamage(connection: Database.Database): string | null {
  const verdict = connection.pragma('integrity_check(1)', { simple: true });
  return verdict === 'ok' ? null : String(verdict);
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
